package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// pair is one pool at both ends. A pool that only one end has has no other.
type pair struct {
	env, name  string
	base, head *reconcile.Group
}

type groupKey struct{ env, key string }

func keyOf(g *reconcile.Group) groupKey { return groupKey{g.Env, reconcile.Key(g.Pool)} }

// pairs matches the pools of the two ends: by environment and name; then, of what is left, by name alone, for files that
// moved into or out of an environment; then by what they list, for pools that were renamed.
func (j *judge) pairs() []*pair {
	base, head := alive(j.base.Audit.Groups), alive(j.head.Audit.Groups)
	byKey := map[groupKey]*reconcile.Group{}
	for _, g := range base {
		byKey[keyOf(g)] = g
	}
	var out []*pair
	var fresh []*reconcile.Group
	matched := map[*reconcile.Group]bool{}
	for _, h := range head {
		b := byKey[keyOf(h)]
		if b == nil {
			fresh = append(fresh, h)
			continue
		}
		matched[b] = true
		out = append(out, &pair{h.Env, h.Pool, b, h})
	}
	var lost []*reconcile.Group
	for _, g := range base {
		if !matched[g] {
			lost = append(lost, g)
		}
	}
	out = append(out, j.leftovers(lost, fresh)...)
	slices.SortStableFunc(out, func(a, b *pair) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.env, b.env)
	})
	return out
}

// alive leaves out what only change orders still speak of.
func alive(groups []*reconcile.Group) []*reconcile.Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g *reconcile.Group) bool {
		return !slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return c.Side != schema.Order && c.Side != schema.Live })
	})
}

func (j *judge) leftovers(lost, fresh []*reconcile.Group) []*pair {
	var out []*pair
	used := map[*reconcile.Group]bool{}
	join := func(b, h *reconcile.Group) {
		used[b], used[h] = true, true
		out = append(out, &pair{h.Env, h.Pool, b, h})
	}
	byName := map[string][]*reconcile.Group{}
	for _, b := range lost {
		byName[keyOf(b).key] = append(byName[keyOf(b).key], b)
	}
	for _, h := range fresh {
		// One pool of no environment may become one in each of several, and the other way round.
		for _, b := range byName[keyOf(h).key] {
			if h.Env == "" || b.Env == "" || len(byName[keyOf(h).key]) == 1 && !used[b] {
				join(b, h)
				if b.Env == "" {
					break
				}
			}
		}
	}
	left := func(list []*reconcile.Group) map[string][]*reconcile.Group {
		m := map[string][]*reconcile.Group{}
		for _, g := range list {
			if !used[g] {
				loaded := j.head.Loaded
				if slices.Contains(lost, g) {
					loaded = j.base.Loaded
				}
				if s := signature(g, loaded.Whole); s != "" {
					m[g.Env+"\x00"+s] = append(m[g.Env+"\x00"+s], g)
				}
			}
		}
		return m
	}
	before, after := left(lost), left(fresh)
	for _, h := range fresh {
		if used[h] {
			continue
		}
		s := h.Env + "\x00" + signature(h, j.head.Loaded.Whole)
		if b := before[s]; len(b) == 1 && len(after[s]) == 1 {
			join(b[0], h)
			j.report.renamed[Pool{h.Env, h.Pool}] = Pool{b[0].Env, b[0].Pool}
		}
	}
	for _, b := range lost {
		if !used[b] {
			out = append(out, &pair{b.Env, b.Pool, b, nil})
		}
	}
	for _, h := range fresh {
		if !used[h] {
			out = append(out, &pair{h.Env, h.Pool, nil, h})
		}
	}
	return out
}

// signature is the member list by which a renamed pool is known again: that of its first copy which has one.
func signature(g *reconcile.Group, whole func(*schema.Copy) *schema.Copy) string {
	for _, c := range g.Copies {
		if c = whole(c); c.States(schema.Members) && len(c.Members) > 0 {
			return schema.Digest(c, schema.Members)
		}
	}
	return ""
}

// wants reports whether the change touches a pool that is asked for.
func (j *judge) wants(p *pair) bool {
	o := j.options
	if o.Env != "" && p.env != o.Env && p.env != "" {
		return false
	}
	if len(o.Pools) > 0 && !slices.ContainsFunc(o.Pools, func(name string) bool {
		return reconcile.Key(name) == reconcile.Key(p.name) || p.base != nil && reconcile.Key(name) == reconcile.Key(p.base.Pool)
	}) {
		return false
	}
	if o.Changed == nil || p.base.In(o.Changed) || p.head.In(o.Changed) {
		return true
	}
	return o.Entire && !p.base.Alike(p.head, func(b, h *schema.Copy) bool { return o.Base.Loaded.Same(b, o.Head.Loaded, h) })
}

// build prepares a pool of one end for judging; nil for no pool.
func (e *end) build(g *reconcile.Group) *rules.Pool {
	if g == nil {
		return nil
	}
	whole := *g
	whole.Copies = make([]*schema.Copy, len(g.Copies))
	for i, c := range g.Copies {
		whole.Copies[i] = e.Loaded.Whole(c)
	}
	table := &truth.Table{Manifest: e.manifest, Orders: e.Audit.Orders, Now: e.now}
	return rules.Build(&whole, table, &rules.Run{Manifest: e.manifest, Now: e.now})
}
