package live

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// candidate is a copy of a file that could be what a gateway runs.
type candidate struct {
	group *reconcile.Group
	copy  *schema.Copy
}

// index finds the gateway side's copies by the name that their file gives them.
type index struct {
	byName map[string][]candidate
	all    []candidate
}

// general are the formats that no engine reads: a gateway's files are made from them.
var general = []string{"poolproof", "mapped"}

func newIndex(in *Input) index {
	x := index{byName: map[string][]candidate{}}
	seen := map[*schema.Copy]bool{} // a copy without an environment stands in the group of each
	for _, g := range in.Groups {
		for _, c := range g.Of(schema.Gateway) {
			if seen[c] || !chosen(in.Manifest, g, c) {
				continue
			}
			seen[c] = true
			f := candidate{g, c}
			x.all = append(x.all, f)
			k := reconcile.Key(c.Pool)
			x.byName[k] = append(x.byName[k], f)
		}
	}
	return x
}

// chosen reports whether a copy counts: all do, unless the manifest names the file that is right for the members.
func chosen(m *schema.Manifest, g *reconcile.Group, c *schema.Copy) bool {
	e, ok := schema.TruthEntry{}, false
	if g.Entry != nil {
		e, ok = g.Entry.Truth[schema.Members]
	}
	if !ok {
		e = m.Defaults.Truth[schema.Members]
	}
	return e.Copy == "" || e.Copy == c.File() || !slices.ContainsFunc(g.Of(schema.Gateway), func(o *schema.Copy) bool { return o.File() == e.Copy })
}

// of returns the copies that a pool of a gateway could have been made from: of its name, of its format, and of its
// namespace. Files of the gateway's own format come before those that it is generated from.
func (x *index) of(a *gateway.Answer, c *schema.Copy) []candidate {
	list := x.byName[reconcile.Key(c.Pool)]
	if f, ok := c.Get("name"); ok {
		list = append(list[:len(list):len(list)], x.byName[reconcile.Key(f.Value.Text())]...)
	}
	var own, made []candidate
	for _, f := range list {
		switch {
		case !sameNamespace(f.copy, c):
		case f.copy.Format == a.Kind.Format:
			own = append(own, f)
		case slices.Contains(general, f.copy.Format):
			made = append(made, f)
		}
	}
	if len(own) > 0 {
		return own
	}
	return made
}

// sameNamespace holds apart pools that differ in what their formats tell them apart by besides the name.
func sameNamespace(file, live *schema.Copy) bool {
	for _, p := range []schema.Path{"namespace", "context"} {
		a, ok := file.Get(p)
		b, ok2 := live.Get(p)
		if p == "namespace" && (!ok || !ok2) {
			continue // the file leaves it to whoever applies it
		}
		if file.Format == live.Format && a.Value != b.Value {
			return false
		}
	}
	return true
}

// closest returns the candidate that shares most members with a pool. Where environments or sites have pools of one
// name, that is the one that the gateway was made from.
func (j *judge) closest(list []candidate, c *schema.Copy) candidate {
	if len(list) == 1 {
		return list[0]
	}
	running := make(map[string]bool, len(c.Members))
	for i := range c.Members {
		running[c.Members[i].ID()] = true
	}
	best, most := list[0], -1
	for _, f := range list {
		whole := j.view(f.copy).Copy
		shared := 0
		for i := range whole.Members {
			if running[whole.Members[i].ID()] {
				shared += 2
			}
		}
		// Between lists that share as much, the one that asks for fewer others is closer.
		if shared -= max(0, len(whole.Members)-shared/2); shared > most || most < 0 && shared > most {
			best, most = f, shared
		}
	}
	return best
}

// wanted reports whether the manifest asks a gateway for a pool, by any of its names.
func (f candidate) wanted(a *gateway.Answer) bool {
	return wanted(a, f.group.Pool) || wanted(a, f.copy.Pool)
}

func wanted(a *gateway.Answer, pool string) bool {
	if len(a.Gateway.Pools) == 0 {
		return true
	}
	k := reconcile.Key(pool)
	return slices.ContainsFunc(a.Gateway.Pools, func(name string) bool { return reconcile.Key(name) == k })
}

// named reports whether the manifest names a pool for a gateway, which then must run it.
func (f candidate) named(a *gateway.Answer) bool { return len(a.Gateway.Pools) > 0 && f.wanted(a) }
