package mapped

import (
	"path"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// onePool reads the whole file as one pool. Without a name in the map it is called after the file.
func (r *reader) onePool() {
	c := schema.Copy{Pool: r.plan.pool, PoolAt: r.home()}
	if c.Pool == "" {
		base := path.Base(r.in.Path)
		c.Pool, _, _ = strings.Cut(base, ".")
		if c.Pool == "" {
			c.Pool = base
		}
		c.Owned = true
	}
	r.pool(c, r.roots)
}

// home is the place of a pool that the manifest names: the deepest key that all its paths share.
func (r *reader) home() schema.Span {
	paths := r.topPaths()
	if len(paths) == 0 || len(r.roots) == 0 {
		return schema.Span{}
	}
	shared := paths[0].steps[:max(0, len(paths[0].steps)-1)] // what a path leads to is a value, not a home
	for _, p := range paths[1:] {
		n := 0
		for n < len(shared) && n < len(p.steps)-1 && shared[n] == p.steps[n] {
			n++
		}
		shared = shared[:n]
	}
	at := r.roots[0].place()
	here := r.roots
	for _, s := range shared {
		if s.kind != byKey {
			break
		}
		var next []match
		for _, m := range here {
			next = s.follow(m, next)
		}
		if len(next) == 0 {
			break
		}
		here, at = next, next[0].keyAt
	}
	return at
}

// topPaths lists the paths that start at the document.
func (r *reader) topPaths() []*expr {
	var out []*expr
	for _, e := range []*expr{r.plan.members, r.plan.membersEach, r.plan.rampEach} {
		if e != nil {
			out = append(out, e)
		}
	}
	for i := range r.plan.fields {
		out = append(out, &r.plan.fields[i].expr)
	}
	if r.plan.rampEach == nil {
		for i := range r.plan.batch {
			out = append(out, &r.plan.batch[i].expr)
		}
	}
	return out
}

// manyPools reads one pool for each match.
func (r *reader) manyPools() {
	hits, near := r.plan.poolEach.find(r.roots)
	if len(hits) == 0 {
		if lists, ok := r.plan.poolEach.lists(r.roots); ok && len(lists) > 0 {
			return // it is there, and holds no pool
		}
		r.unresolved("pool.each", r.plan.poolEach.text, near)
		return
	}
	for _, h := range hits {
		if name, at, ok := r.poolName(h); ok {
			r.pool(schema.Copy{Pool: name, PoolAt: at}, []match{h})
		}
	}
}

// poolName returns the name of a matched pool.
func (r *reader) poolName(h match) (name string, at schema.Span, ok bool) {
	if r.plan.poolName == nil {
		return "", schema.Span{}, false
	}
	hits, _ := r.plan.poolName.from(h)
	if len(hits) != 1 {
		r.unresolved("pool.name", r.plan.poolName.text, h.place())
		return "", schema.Span{}, false
	}
	s, ok := scalar(hits[0])
	if !ok {
		r.unresolved("pool.name", r.plan.poolName.text, h.place())
		return "", schema.Span{}, false
	}
	name, ok = bind.Expand(s.Text, r.in.Vars, placeholders)
	if name = strings.TrimSpace(name); !ok || name == "" {
		r.unresolved("pool.name", s.Text, s.At)
		return "", schema.Span{}, false
	}
	return name, s.At, true
}

// unresolved reports a path of the map that finds nothing where there is no copy to note it in.
func (r *reader) unresolved(key, raw string, at schema.Span) {
	r.result.Report(schema.Problem{
		Rule: "source/unresolved", At: at, Field: "map." + key, Got: raw,
		Text: schema.Textf("map.%s: %s finds no value here; no pool is read from this place", "map.%s：%s 在此处没有找到值；此处未读出地址池", key, raw),
		Hint: schema.Textf("correct the path in the manifest, or the file", "请改正清单中的路径，或改正该文件"),
	})
}
