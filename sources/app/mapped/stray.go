package mapped

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// Stray is a path of a map that leads nowhere in a file.
type Stray struct {
	// Key is the entry of the map ("probe.interval", "members.each"), Path the setting under which copies note it.
	Key  string
	Path schema.Path
	Expr string
	At   schema.Span // in the manifest
	// Instead is a path that does lead somewhere in the file and was probably meant; empty if there is none like it.
	Instead string
	// Keys are those that stand where the path ends, up to a few.
	Keys []string
}

// Strays follows every path of a map through a file and returns those that lead nowhere, in none of the pools that the
// file holds. Paths below a wildcard that has no match are not among them: only the wildcard's own is. ok is false for a
// file that says nothing about the map, because it cannot be read as a whole or waits for a template.
func Strays(m *schema.Map, name string, text []byte) (list []Stray, ok bool) {
	file := decode(name, text)
	if slices.ContainsFunc(file.Problems, func(p schema.Problem) bool { return p.Rule != "source/duplicate-key" }) {
		return nil, false
	}
	var s strays
	for _, d := range file.Documents {
		if d.Root != nil {
			s.roots = append(s.roots, match{node: d.Root})
		}
	}
	if len(s.roots) == 0 || strings.Contains(string(text), "{{") || strings.Contains(string(text), "{%") {
		return nil, false
	}
	s.follow(m)
	return s.list, true
}

// strays collects the paths that lead nowhere.
type strays struct {
	roots []match
	pools [][]match // the starting points of each pool
	list  []Stray
}

func (s *strays) follow(m *schema.Map) {
	s.pools = [][]match{s.roots}
	if m.PoolEach != "" {
		hits := s.find(Stray{Key: "pool.each", Expr: m.PoolEach, At: m.PoolAt})
		s.pools = nil
		for _, h := range hits {
			s.pools = append(s.pools, []match{h})
		}
		s.below("pool", hits, []schema.MapEntry{{Key: "name", Expr: m.PoolName, At: m.PoolAt}})
	}
	if len(s.pools) == 0 {
		return
	}
	switch {
	case m.MembersEach != "":
		s.below("members", s.find(Stray{Key: "members.each", Path: "members", Expr: m.MembersEach, At: m.MembersAt}), m.MembersMap)
	case m.Members != "":
		s.find(Stray{Key: "members", Path: "members", Expr: m.Members, At: m.MembersAt})
	}
	for _, part := range []struct {
		item string
		list []schema.MapEntry
	}{{"probe", m.Probe}, {"decision", m.Decision}, {"cooldown", m.Cooldown}, {"retry", m.Retry}} {
		for _, e := range part.list {
			s.find(Stray{Key: part.item + "." + e.Key, Path: schema.Path(part.item + "." + e.Key), Expr: e.Expr, At: e.At})
		}
	}
	var batch []schema.MapEntry
	for _, e := range m.Ramp {
		path := schema.Path("ramp." + e.Key)
		if slices.Contains(batchNames, e.Key) {
			if m.RampEach != "" {
				batch = append(batch, e)
				continue
			}
			path = schema.Path("ramp.batches." + e.Key)
		}
		s.find(Stray{Key: "ramp." + e.Key, Path: path, Expr: e.Expr, At: e.At})
	}
	if m.RampEach != "" {
		s.below("ramp", s.find(Stray{Key: "ramp.each", Path: "ramp.batches", Expr: m.RampEach, At: m.RampAt}), batch)
	}
}

// find follows a path in every pool and notes it where it leads nowhere in all of them. An empty list is somewhere.
func (s *strays) find(x Stray) (hits []match) {
	e, _, ok := parse(x.Expr)
	if !ok || len(s.pools) == 0 {
		return nil // a path that is none has a finding of its own
	}
	for _, from := range s.pools {
		found, _ := e.find(from)
		hits = append(hits, found...)
		if lists, wild := e.lists(from); wild && len(lists) > 0 && len(found) == 0 {
			return hits
		}
	}
	if len(hits) == 0 {
		s.lost(x, &e, s.pools[0])
	}
	return hits
}

// below follows paths that are relative to the matches of another.
func (s *strays) below(item string, from []match, list []schema.MapEntry) {
	for _, entry := range list {
		e, _, ok := parse(entry.Expr)
		if !ok || len(from) == 0 || slices.ContainsFunc(from, func(m match) bool { hits, _ := e.from(m); return len(hits) > 0 }) {
			continue
		}
		path := schema.Path(item + "." + entry.Key)
		if item == "ramp" {
			path = schema.Path("ramp.batches." + entry.Key)
		}
		s.lost(Stray{Key: item + "." + entry.Key, Path: path, Expr: entry.Expr, At: entry.At}, &e, from)
	}
}

// shownKeys is how many keys are listed where none is near.
const shownKeys = 6

// lost notes a path with what stands where it ends.
func (s *strays) lost(x Stray, e *expr, from []match) {
	if len(e.steps) == 0 {
		return // "." is always there
	}
	here := from
	for i, st := range e.steps {
		var next []match
		for _, m := range here {
			next = st.follow(m, next)
		}
		if len(next) > 0 {
			here = next
			continue
		}
		if st.kind == byKey {
			keys := keysOf(here)
			if near := bind.Nearest(st.key, keys); near != "" {
				x.Instead = e.with(i, step{kind: byKey, key: near})
			} else {
				x.Keys = keys[:min(shownKeys, len(keys))]
			}
		} else if other := (step{kind: everyItem + everyKey - st.kind}); st.kind != byIndex && len(other.follow(here[0], nil)) > 0 {
			x.Instead = e.with(i, other) // a list where a mapping was expected, or the other way round
		}
		break
	}
	if last := e.steps[len(e.steps)-1]; x.Instead == "" && last.kind == byKey {
		if steps := seek(from[0].node, last.key, nil, new(int)); steps != nil {
			moved := expr{text: e.text, steps: steps}
			x.Instead, x.Keys = moved.String(), nil
		}
	}
	s.list = append(s.list, x)
}

// keysOf lists the keys of mappings, each once.
func keysOf(at []match) []string {
	var keys []string
	for _, m := range at {
		if m.node == nil {
			continue
		}
		for i := range m.node.Pairs {
			if key := m.node.Pairs[i].Key; !slices.Contains(keys, key) && len(keys) < 1000 {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// maxSought bounds how many nodes are looked at for a key that stands elsewhere.
const maxSought = 20_000

// seek returns the way to a value with that key below n, nil if there is none.
func seek(n *data.Node, key string, way []step, seen *int) []step {
	if *seen++; n == nil || *seen > maxSought || len(way) == maxSteps {
		return nil
	}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		to := append(slices.Clip(way), step{kind: byKey, key: p.Key})
		if p.Key == key {
			return to
		}
		if found := seek(p.Value, key, to, seen); found != nil {
			return found
		}
	}
	return nil
}

// with returns the expression with another step at i.
func (e *expr) with(i int, s step) string {
	other := expr{text: e.text, steps: slices.Clone(e.steps)}
	other.steps[i] = s
	return other.String()
}

// String writes an expression as people do, with the unit that its text has.
func (e *expr) String() string {
	var b strings.Builder
	for i, s := range e.steps {
		if i > 0 && s.kind != everyItem && s.kind != byIndex {
			b.WriteByte('.')
		}
		switch s.kind {
		case everyKey:
			b.WriteByte('*')
		case everyItem:
			b.WriteString("[*]")
		case byIndex:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		default:
			if s.quoted || s.key == "" || s.key == "*" || strings.ContainsAny(s.key, ".[]|\"") {
				b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.key) + `"`)
			} else {
				b.WriteString(s.key)
			}
		}
	}
	if _, unit, ok := cutUnit(e.text); ok {
		b.WriteString(" | " + unit)
	}
	return b.String()
}
