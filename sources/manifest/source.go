package manifest

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// source reads one source; not ok without a side or files, which has been reported.
func (l *loader) source(n *data.Node) (schema.Source, bool) {
	s := schema.Source{
		Side:     schema.Side(l.text(n.Get("side"))),
		Format:   l.text(n.Get("format")),
		Files:    l.texts(n.Get("files")),
		Exclude:  l.texts(n.Get("exclude")),
		Env:      l.text(n.Get("env")),
		Profiles: l.texts(n.Get("profiles")),
		Profile:  l.text(n.Get("profile")),
		Repo:     l.text(n.Get("repo")),
		Ref:      l.text(n.Get("ref")),
		At:       n.Place(),
	}
	if m := n.Get("map"); l.file.Usable(m) {
		s.Map = l.mapping(m)
	}
	return s, s.Side != "" && s.Files != nil
}

// mapping reads where a home-made file says what.
func (l *loader) mapping(n *data.Node) *schema.Map {
	m := &schema.Map{
		Probe:    l.paths(n.Get("probe")),
		Decision: l.paths(n.Get("decision")),
		Cooldown: l.paths(n.Get("cooldown")),
		Ramp:     l.paths(n.Get("ramp")),
		Retry:    l.paths(n.Get("retry")),
		At:       n.Place(),
	}
	if p := n.Get("pool"); l.file.Usable(p) {
		m.Pool = l.text(p)
		m.PoolEach, m.PoolName, m.PoolAt = l.text(p.Get("each")), l.text(p.Get("name")), pathAt(p)
	}
	if p := n.Get("members"); l.file.Usable(p) {
		m.Members = l.text(p)
		m.MembersEach, m.MembersMap, m.MembersAt = l.text(p.Get("each")), l.paths(p), pathAt(p)
	}
	if p := n.Get("ramp"); l.file.Usable(p) {
		m.RampEach, m.RampAt = l.text(p.Get("each")), pathAt(p)
	}
	return m
}

// pathAt returns the place of a path, or of the one that an entry holds as "each".
func pathAt(n *data.Node) schema.Span {
	if each := n.Get("each"); each != nil {
		return each.Place()
	}
	return n.Place()
}

// paths reads the path expressions of a mapping by key. "each" is the path of the matches, not of a field.
func (l *loader) paths(n *data.Node) []schema.MapEntry {
	var entries []schema.MapEntry
	l.each(n, func(p *data.Pair) {
		if p.Key != "each" {
			entries = append(entries, schema.MapEntry{Key: p.Key, Expr: p.Value.Text, At: p.Value.Place()})
		}
	})
	slices.SortFunc(entries, func(a, b schema.MapEntry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}
