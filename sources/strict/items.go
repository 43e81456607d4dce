package strict

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// group is a node of the tree that the model's scalar paths form: an item, a mapping inside it, or a value.
type group struct {
	key  string
	path schema.Path
	kind schema.Kind
	// free: people's own text, which may hold full-width characters.
	free bool
	subs []group
}

// groups returns the model's paths as a tree, one entry an item.
func groups() []group {
	root := group{}
	for _, e := range schema.Model() {
		at := &root
		rest := string(e.Path)
		for rest != "" {
			var key string
			key, rest, _ = strings.Cut(rest, ".")
			at = at.sub(key)
		}
		at.kind = e.Kind
		at.free = e.Kind == schema.TextKind && !e.Compared
	}
	return root.subs
}

// sub returns the entry of a key, adding it if need be.
func (g *group) sub(key string) *group {
	if i := find(g.subs, key, 0); i >= 0 {
		return &g.subs[i]
	}
	path := key
	if g.path != "" {
		path = string(g.path) + "." + key
	}
	g.subs = append(g.subs, group{key: key, path: schema.Path(path)})
	return &g.subs[len(g.subs)-1]
}

// find looks for a key, first behind the last hit: files mostly follow the order of the grammar.
func find(list []group, key string, from int) int {
	for i := from; i < len(list); i++ {
		if list[i].key == key {
			return i
		}
	}
	for i := range min(from, len(list)) {
		if list[i].key == key {
			return i
		}
	}
	return -1
}

// Item binds the item that a pool writes under key; false if the key is no item with scalar values of its own.
func (b *Binder) Item(key string, n *data.Node) bool {
	i := find(b.File.reader.items, key, 0)
	if i < 0 {
		return false
	}
	if n.Kind == data.Map || n.Scalar() && n.Kind != data.Null {
		b.touch(b.File.reader.items[i].path, n.Place())
	}
	b.group(&b.File.reader.items[i], n)
	return true
}

func (b *Binder) group(g *group, n *data.Node) {
	if g.subs == nil {
		b.value(g, n)
		return
	}
	if !b.usable(g.path, n) {
		return
	}
	if n.Kind != data.Map {
		b.short(g.path, n)
		return
	}
	next := 0
	for i := range n.Pairs {
		p := &n.Pairs[i]
		if j := find(g.subs, p.Key, next); j >= 0 {
			next = j + 1
			b.group(&g.subs[j], p.Value)
		} else if g.path == "ramp" {
			b.ramp(p.Key, p.Value)
		}
	}
}

func (b *Binder) value(g *group, n *data.Node) {
	switch {
	case g.free:
		b.Free(g.path, n)
	case g.kind == schema.Duration:
		b.Duration(g.path, n)
	case g.kind == schema.Int:
		b.Int(g.path, n)
	case g.kind == schema.Number:
		b.Number(g.path, n)
	case g.kind == schema.Bool:
		b.Bool(g.path, n)
	case g.kind == schema.List:
		b.Texts(g.path, n)
	default:
		b.Text(g.path, n)
	}
}

// short binds the short forms of mappings: growth: 2 is exponential by 2, growth: 1 constant; onAllOut: pass.
func (b *Binder) short(p schema.Path, n *data.Node) {
	switch p {
	case "cooldown.growth":
		f, ok := b.number(p, n)
		switch {
		case !ok:
		case f == 1:
			b.Copy.Set("cooldown.growth.kind", schema.TextOf("constant"), n.Place())
		default:
			b.Copy.Set("cooldown.growth.kind", schema.TextOf("exponential"), n.Place())
			b.Copy.Set("cooldown.growth.factor", schema.NumberOf(f), n.Place())
		}
	case "onAllOut":
		b.Copy.Set("onAllOut.then", schema.TextOf(n.Text), n.Place())
	}
}
