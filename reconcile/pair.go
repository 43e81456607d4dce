package reconcile

import (
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Group is one pool of one environment: all copies that speak of it.
type Group struct {
	Env string
	// Pool is the name that reports use: the manifest's, else the gateway's, else that of the first copy.
	Pool string
	// Entry is what the manifest says about the pool, nil if nothing.
	Entry *schema.PoolEntry
	// Copies are sorted by side (gateway, app, doc, order), file and place.
	Copies []*schema.Copy
}

// Of returns the group's copies of one side.
func (g *Group) Of(side schema.Side) []*schema.Copy {
	var out []*schema.Copy
	for _, c := range g.Copies {
		if c.Side == side {
			out = append(out, c)
		}
	}
	return out
}

// In reports whether a copy of the group stands in one of some files, or takes part of what it says from one. No group is
// in none.
func (g *Group) In(files map[string]bool) bool {
	return g != nil && slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool {
		return slices.ContainsFunc(c.Files, func(f string) bool { return files[f] })
	})
}

// Alike reports whether a group of another tree is the same pool and consists of the same copies, one by one. Nil is like
// nothing.
func (g *Group) Alike(other *Group, same func(own, other *schema.Copy) bool) bool {
	return g != nil && other != nil && g.Env == other.Env && g.Pool == other.Pool && g.Entry == other.Entry && slices.EqualFunc(g.Copies, other.Copies, same)
}

// Pairing is how the copies fell together.
type Pairing struct {
	Groups []*Group
	// Unbound are sections of documents with tables that no heading binds to a known pool.
	Unbound []*schema.Copy
	// Unused are names that the manifest gives pools and that no copy of their side has, where the pool has none either by
	// another name of that side.
	Unused []Unused
	// Known are the names of all pools that the gateway, the applications or the manifest name, sorted.
	Known []string

	used map[sideKey]bool
}

// Unused is a name of a pool on a side that no copy of that side has.
type Unused struct {
	Entry *schema.PoolEntry
	Name  schema.Written
}

// Pair groups copies by environment and pool. A name of the manifest may hold {env}: it then says the environment too. A copy
// without an environment belongs to every environment of its pool.
// Sections of documents are bound to the nearest heading that names a known pool, and joined within one file; unpack,
// which may be nil, makes copies whole before they are joined.
func Pair(copies []*schema.Copy, m *schema.Manifest, unpack func(*schema.Copy)) Pairing {
	return PairAmong(copies, m, unpack, nil)
}

// PairAmong is Pair for the copies of some files of a tree. elsewhere reports whether the rest of the tree has a pool whose
// name has this key, so that a section of a document is bound as it would be among all of them; nil means that there is no
// rest.
func PairAmong(copies []*schema.Copy, m *schema.Manifest, unpack func(*schema.Copy), elsewhere func(key string) bool) Pairing {
	p := pairer{elsewhere: elsewhere, byName: map[sideKey]*schema.PoolEntry{}, named: map[sideEntry]bool{}, known: map[string]string{}, groups: map[groupKey]*Group{}, envs: map[string][]string{}}
	p.patterns = patternsOf(m, copies)
	for i := range m.Pools {
		e := &m.Pools[i]
		p.know(e.Name)
		for side, names := range e.Names {
			p.named[sideEntry{side, e.Name}] = true
			for _, n := range names {
				if strings.Contains(n, envMark) {
					continue
				}
				p.byName[sideKey{side, Key(n)}] = e
				p.know(n)
			}
		}
	}
	for i := range m.Pools {
		e := &m.Pools[i]
		for _, side := range sides {
			k := sideKey{side, Key(e.Name)}
			// names decides alone for a side that it lists; the pool's own name stands for the others.
			if p.byName[k] == nil && !p.named[sideEntry{side, e.Name}] {
				p.byName[k] = e
			}
		}
	}
	var bound, sections []*schema.Copy
	for _, c := range copies {
		if len(c.Candidates) > 0 {
			sections = append(sections, c)
			continue
		}
		bound = append(bound, c)
		if c.Side != schema.Doc && c.Side != schema.Order {
			p.know(c.Pool)
		}
	}
	for _, c := range bound {
		if c.Side == schema.Order {
			p.know(c.Pool)
		}
	}
	out := Pairing{}
	joined := map[section]*schema.Copy{}
	for _, c := range append(bound[:len(bound):len(bound)], sections...) {
		if len(c.Candidates) > 0 && !p.bind(c) {
			out.Unbound = append(out.Unbound, c)
			continue
		}
		k := p.keyed(c)
		if c.Side == schema.Doc {
			id := section{c.File(), c.Env, k.key}
			if first := joined[id]; first != nil {
				if unpack != nil {
					unpack(first)
					unpack(c)
				}
				join(first, c)
				continue
			}
			joined[id] = c
		}
		p.add(k)
	}
	out.Groups, out.Unused, out.used = p.finish(), unused(m, p.used), p.used
	for _, name := range p.known {
		out.Known = append(out.Known, name)
	}
	sort.Strings(out.Known)
	return out
}

// Under is the pairing as another manifest sees it that calls the pools the same, as far as it knows them: with its own
// entries, and those of its names that no copy has.
func (p Pairing) Under(m *schema.Manifest) Pairing {
	own, spelled := map[string]*schema.PoolEntry{}, map[string]*schema.PoolEntry{}
	for i := range m.Pools {
		own[m.Pools[i].Name], spelled[Key(m.Pools[i].Name)] = &m.Pools[i], &m.Pools[i]
	}
	groups := make([]*Group, len(p.Groups))
	for i, g := range p.Groups {
		groups[i] = g
		if g.Entry != nil {
			other := *g
			if other.Entry = own[g.Entry.Name]; other.Entry == nil {
				other.Entry = spelled[Key(g.Entry.Name)]
			}
			groups[i] = &other
		}
	}
	p.Groups, p.Unused = groups, unused(m, p.used)
	return p
}

type (
	sideKey struct {
		side schema.Side
		key  string
	}
	sideEntry struct {
		side schema.Side
		name string
	}
	groupKey struct{ env, key string }
	section  struct{ file, env, key string }
)

type pairer struct {
	byName   map[sideKey]*schema.PoolEntry
	patterns *patterns // names that hold the environment; may be nil
	named    map[sideEntry]bool
	known    map[string]string // key: the first spelling seen
	used     map[sideKey]bool  // names of the manifest that some copy has
	// elsewhere knows the keys of pools outside of the copies; it may be nil.
	elsewhere func(key string) bool
	groups    map[groupKey]*Group
	envs      map[string][]string
	loose     []keyed
}

func (p *pairer) know(name string) {
	k := Key(name)
	if _, ok := p.known[k]; !ok && k != "" {
		p.known[k] = name
	}
}

// Sections returns the keys of the pools that a heading of a document may mean, the likeliest first.
func Sections(heading string) []string {
	var keys []string
	for _, name := range spellings(heading) {
		if k := Key(name); k != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// bind gives a document's section the nearest of its headings that names a known pool.
func (p *pairer) bind(c *schema.Copy) bool {
	for _, n := range c.Candidates {
		for _, name := range spellings(n.Text) {
			k := Key(name)
			if x, env := p.patterns.find(schema.Doc, name, c.Env); x != nil {
				c.Pool, c.PoolAt, c.Env = name, n.At, env
				return true
			}
			_, known := p.known[k]
			known = known || p.elsewhere != nil && p.elsewhere(k)
			if k != "" && known || p.byName[sideKey{schema.Doc, k}] != nil {
				c.Pool, c.PoolAt = name, n.At
				return true
			}
		}
	}
	return false
}

// keyed is a copy with what pairs it: the manifest's entry for its name and the key of that, else of its own name.
type keyed struct {
	copy  *schema.Copy
	key   string
	entry *schema.PoolEntry
}

func (p *pairer) keyed(c *schema.Copy) keyed {
	k := Key(c.Pool)
	if e := p.byName[sideKey{c.Side, k}]; e != nil {
		p.use(c.Side, k)
		return keyed{c, Key(e.Name), e}
	}
	if x, env := p.patterns.find(c.Side, c.Pool, c.Env); x != nil {
		c.Env = env
		p.use(c.Side, Key(x.written()))
		return keyed{c, Key(x.entry.Name), x.entry}
	}
	return keyed{c, k, nil}
}

// use notes that a copy has a name, up to spelling.
func (p *pairer) use(side schema.Side, key string) {
	if p.used == nil {
		p.used = map[sideKey]bool{}
	}
	p.used[sideKey{side, key}] = true
}

// unused returns the names of the manifest that no copy has. Several names of one side are spellings, of which one is
// enough.
func unused(m *schema.Manifest, used map[sideKey]bool) []Unused {
	var out []Unused
	for i := range m.Pools {
		e := &m.Pools[i]
		for _, n := range e.NamesAt {
			if !slices.ContainsFunc(e.Names[n.Side], func(name string) bool { return used[sideKey{n.Side, Key(name)}] }) {
				out = append(out, Unused{e, n})
			}
		}
	}
	return out
}

func (p *pairer) add(c keyed) {
	if c.copy.Env == "" {
		p.loose = append(p.loose, c)
		return
	}
	p.into(c.copy.Env, c)
}

func (p *pairer) into(env string, c keyed) {
	k := groupKey{env, c.key}
	g := p.groups[k]
	if g == nil {
		g = &Group{Env: env}
		p.groups[k] = g
		p.envs[c.key] = append(p.envs[c.key], env)
	}
	if g.Entry == nil {
		g.Entry = c.entry
	}
	g.Copies = append(g.Copies, c.copy)
}

func (p *pairer) finish() []*Group {
	for k := range p.envs {
		sort.Strings(p.envs[k])
	}
	for _, c := range p.loose {
		placed := false
		for _, env := range p.envs[c.key] {
			if env != "" {
				p.into(env, c)
				placed = true
			}
		}
		if !placed {
			p.into("", c)
		}
	}
	groups := make([]*Group, 0, len(p.groups))
	for _, g := range p.groups {
		sortCopies(g.Copies)
		g.Pool = g.Copies[0].Pool
		if g.Entry != nil {
			g.Pool = g.Entry.Name
		}
		groups = append(groups, g)
	}
	sort.Slice(groups, func(i, j int) bool {
		a, b := groups[i], groups[j]
		if a.Pool != b.Pool {
			return a.Pool < b.Pool
		}
		if a.Env != b.Env {
			return a.Env < b.Env
		}
		return a.Copies[0].File() < b.Copies[0].File()
	})
	return groups
}

var sides = []schema.Side{schema.App, schema.Gateway, schema.Doc, schema.Order, schema.Live}

var sideOrder = map[schema.Side]int{schema.Gateway: 0, schema.App: 1, schema.Doc: 2, schema.Order: 3, schema.Live: 4}

func sortCopies(copies []*schema.Copy) {
	sort.SliceStable(copies, func(i, j int) bool {
		a, b := copies[i], copies[j]
		if a.Side != b.Side {
			return sideOrder[a.Side] < sideOrder[b.Side]
		}
		if a.File() != b.File() {
			return a.File() < b.File()
		}
		return a.PoolAt.Start < b.PoolAt.Start
	})
}

// join adds what a further section of the same document says to the first. A value that stands in both is kept as the
// first has it and noted as a problem.
func join(to, from *schema.Copy) {
	switch {
	case to.States(schema.Members) && from.States(schema.Members):
		to.Complete = to.Complete && from.Complete
	case from.States(schema.Members):
		to.Complete = from.Complete
	}
	for item := schema.Members; item < schema.Items; item++ {
		to.ItemAt[item] = schema.Join(to.ItemAt[item], from.ItemAt[item])
	}
	to.Members = append(to.Members, from.Members...)
	to.Batches = append(to.Batches, from.Batches...)
	to.Stops = append(to.Stops, from.Stops...)
	for _, f := range from.Fields {
		old, ok := to.Get(f.Path)
		if !ok {
			to.Fields = append(to.Fields, f)
			continue
		}
		if _, model := schema.EntryOf(f.Path); model && old.Value != f.Value {
			to.Report(schema.Problem{
				Rule: "pool/duplicate", At: f.At, Item: f.Path.Item(), Field: f.Path.Leaf(), Got: f.Value.String(), Want: old.Value.String(),
				Text:    schema.Textf("%s is stated twice for this pool: %s here, %s above", "该池的 %s 写了两次：此处 %s，前面 %s", f.Path, f.Value, old.Value),
				Related: []schema.Note{{At: old.At, Label: schema.Textf("first stated here", "首次出现")}},
			})
		}
	}
	if to.Effective.IsZero() || from.Effective.After(to.Effective) {
		if !from.Effective.IsZero() {
			to.Effective, to.EffectiveAt = from.Effective, from.EffectiveAt
		}
	}
	to.Unresolved = append(to.Unresolved, from.Unresolved...)
	to.Problems = append(to.Problems, from.Problems...)
}
