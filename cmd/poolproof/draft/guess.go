package draft

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/app/mapped"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/tree"
)

// guessed is a home-made file with a list of addresses that a pool of the gateway has too.
type guessed struct {
	file string
	m    schema.Map
}

// Bounds of the search: files of applications are small, and a first manifest has room for so many.
const (
	maxGuessSize  = 1 << 20
	maxGuessFiles = 5000
	maxGuesses    = 20
)

// guess looks through files of no known format for lists of addresses that the gateway has as well, and checks by
// reading them as a mapped source that the paths are right. It returns the copies that were read that way too, and what is
// left out because it is no copy, whatever addresses stand in it.
func guess(t tree.Tree, files []string, format map[string]string, copies []*schema.Copy) (out []guessed, found []*schema.Copy, left []LeftOut) {
	k := known{byID: map[string][]string{}, hosts: map[string]bool{}}
	for _, c := range copies {
		if c.Side == schema.Gateway && !c.Owned {
			k.add(c)
		}
	}
	looked := 0
	for _, file := range files {
		if format[file] != "" || tests(file) || looked >= maxGuessFiles {
			continue
		}
		if nearlyOrder(t, file) {
			left = append(left, LeftOut{file, unsaidOrder()})
		}
		if !structured(file) {
			continue
		}
		looked++
		text, err := t.Read(file)
		if err != nil || len(text) > maxGuessSize {
			continue
		}
		docs := decode(file, text).Documents
		if why := ownFile(docs); why != nil {
			left = append(left, LeftOut{file, *why})
			continue
		}
		if len(k.byID) == 0 || len(out) >= maxGuesses {
			continue
		}
		s := search{known: k}
		for _, doc := range docs {
			if doc.Root != nil {
				s.walk(doc.Root, "")
			}
		}
		for _, m := range s.found {
			if c := k.read(file, text, &m); c != nil && len(out) < maxGuesses {
				out = append(out, guessed{file, m})
				found = append(found, c)
			}
		}
	}
	return out, found, left
}

func structured(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".yaml", ".yml", ".json", ".jsonc", ".toml", ".properties":
		return true
	}
	return false
}

func decode(file string, text []byte) data.File {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".jsonc":
		return data.JSON(text)
	case ".toml":
		return data.TOML(text)
	case ".properties":
		return data.Properties(text)
	}
	return data.YAML(text)
}

// known are the addresses of the gateway's pools.
type known struct {
	byID  map[string][]string // "host:port": the pools that have it
	hosts map[string]bool
}

func (k known) add(c *schema.Copy) {
	for i := range c.Members {
		if m := &c.Members[i]; m.Host != "" && m.Port != 0 && m.Origin == schema.Static {
			k.byID[m.ID()] = append(k.byID[m.ID()], c.Pool)
			k.hosts[m.Host] = true
		}
	}
}

// read reads a file by a map and names the pool that shares most members with it; nil if none shares any.
func (k known) read(file string, text []byte, m *schema.Map) *schema.Copy {
	m.Pool = "pool"
	source := schema.Source{Side: schema.App, Format: "mapped", Files: []string{file}, Map: m}
	result := mapped.Adapter().Read(sources.Input{Path: file, Data: text, Source: &source})
	if len(result.Copies) != 1 {
		return nil
	}
	c := &result.Copies[0]
	hits := map[string]int{}
	for i := range c.Members {
		for _, pool := range k.byID[c.Members[i].ID()] {
			hits[pool]++
		}
	}
	best := ""
	for pool, n := range hits {
		if best == "" || n > hits[best] || n == hits[best] && pool < best {
			best = pool
		}
	}
	if best == "" {
		return nil
	}
	m.Pool, c.Pool = best, best
	return c
}

// search walks one file for lists of known addresses.
type search struct {
	known known
	found []schema.Map
}

// maxFound is how many lists of one file are proposed.
const maxFound = 8

func (s *search) walk(n *data.Node, at string) {
	switch n.Kind {
	case data.List:
		if s.list(n.Items, at, at+"[*]") {
			return
		}
		for i, item := range n.Items {
			s.walk(item, at+"["+strconv.Itoa(i)+"]")
		}
	case data.Map:
		var values []*data.Node
		for i := range n.Pairs {
			values = append(values, n.Pairs[i].Value)
		}
		if at != "" && s.entries(values, join(at, "*")) {
			return
		}
		for i := range n.Pairs {
			s.walk(n.Pairs[i].Value, join(at, key(n.Pairs[i].Key)))
		}
	case data.String:
		if strings.Contains(n.Text, ",") && s.endpoints(strings.Split(n.Text, ",")) {
			s.add(schema.Map{Members: at})
		}
	}
}

// list takes a list of texts or of mappings.
func (s *search) list(items []*data.Node, at, each string) bool {
	var texts []string
	for _, item := range items {
		if item.Kind == data.String {
			texts = append(texts, item.Text)
		}
	}
	if len(texts) == len(items) && s.endpoints(texts) {
		s.add(schema.Map{Members: at})
		return true
	}
	return s.entries(items, each)
}

// endpoints reports whether texts are addresses, one of which is known.
func (s *search) endpoints(texts []string) bool {
	hit := false
	for _, text := range texts {
		e, ok := schema.SplitEndpoint(strings.TrimSpace(text))
		if !ok {
			return false
		}
		hit = hit || s.known.hosts[e.Host]
	}
	return hit
}

// entries takes mappings with one address each, under the same key in all of them.
func (s *search) entries(items []*data.Node, each string) bool {
	if len(items) == 0 || slices.ContainsFunc(items, func(n *data.Node) bool { return n == nil || n.Kind != data.Map }) {
		return false
	}
	m := schema.Map{MembersEach: each}
	for i := range items[0].Pairs {
		name := items[0].Pairs[i].Key
		var texts []string
		for _, item := range items {
			if v := item.Get(name); v.Scalar() && v.Kind == data.String {
				texts = append(texts, v.Text)
			}
		}
		if len(texts) == len(items) && s.endpoints(texts) {
			m.MembersMap = append(m.MembersMap, schema.MapEntry{Key: "address", Expr: key(name)})
			break
		}
	}
	if m.MembersMap == nil {
		return false
	}
	for _, want := range []string{"port", "weight", "priority"} {
		for i := range items[0].Pairs {
			if p := &items[0].Pairs[i]; p.Value.Scalar() && means(p.Key, want) {
				m.MembersMap = append(m.MembersMap, schema.MapEntry{Key: want, Expr: key(p.Key)})
				break
			}
		}
	}
	s.add(m)
	return true
}

// means reports whether a key is a usual name of a member's port, weight or priority.
func means(name, want string) bool {
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	short := map[string]string{"port": "p", "weight": "w", "priority": "prio"}
	return name == want || name == short[want] || strings.HasSuffix(name, want)
}

func (s *search) add(m schema.Map) {
	if len(s.found) < maxFound {
		s.found = append(s.found, m)
	}
}

func join(at, part string) string {
	if at == "" {
		return part
	}
	return at + "." + part
}

// key writes a key as a part of a path, in quotes where it would be read otherwise.
func key(name string) string {
	if name == "" || name == "key" || name == "value" || name == "*" || strings.ContainsAny(name, " .[]\"\\|'") || strings.TrimSpace(name) != name {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	return name
}
