package rules

import (
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
)

func poolUnmatched() Rule {
	return Rule{
		ID: "pool/unmatched", Severity: schema.Warning, FullOnly: true,
		Title: schema.Text{En: "a copy pairs with no copy of another side, or a name of the manifest with no copy", Zh: "副本没有与其他方的副本配对，或清单中的名称没有对应的副本"},
		Run:   unmatchedNames,
		Pool: func(p *Pool, r *Reporter) {
			if !paired(p.Run) {
				return
			}
			side := p.Copies[0].Copy.Side
			others := 0
			for s := range p.Run.Sides {
				if s != side && s != schema.Order {
					others++
				}
			}
			if others == 0 || side == schema.Gateway {
				return // what a gateway has and others lack is pool/missing-copy
			}
			for _, c := range p.Copies {
				if c.Copy.Side != side || c.Copy.Owned {
					return
				}
			}
			c := p.Copies[0].Copy
			near := p.Run.near.without(p.Run, side).Nearest(c.Pool)
			if side == schema.Order && len(near) == 0 {
				return // orders stay when their pools are gone
			}
			h := Hit{Copy: c, At: c.PoolAt, Got: c.Pool,
				Text: schema.Textf("no copy of another side pairs with this %s copy", "该%s副本没有与其他方的副本配对", SideName(c.Side))}
			if envs := p.Run.near.environments(p.Run, p.Group); len(envs) > 0 {
				h.Text = schema.Textf("no copy of another side pairs with this %s copy in the environment %s; this pool has them in: %s",
					"环境 %[2]s 中没有副本与该%[1]s副本配对；该池在以下环境有其他副本：%[3]s", SideName(c.Side), p.Group.Env, strings.Join(envs, ", "))
				if f, said := c.Get("environment"); said { // by a comment
					h.At = f.At
				}
				h.Hint = schema.Textf("correct the environment of this copy, or add the pool to %s on the other sides", "请更正该副本的环境，或在其他方补上环境 %s 的该池", p.Group.Env)
				r.Hit(h)
				return
			}
			called := noName
			if len(near) > 0 {
				called = near[0]
			} else { // pools that have a copy of this side already
				near = p.Run.near.elsewhere(p.Run, side).Nearest(c.Pool)
			}
			if len(near) > 0 {
				h.Text = plus(h.Text, schema.Textf("; the nearest names: %s", "；最接近的名称：%s", strings.Join(near, ", ")))
			}
			entry, also := wordEntry(called, c.Side, c.Pool), schema.Text{}
			if p.Run.near.has(p.Run, schema.Gateway, called) {
				entry, also = p.Run.near.oneEntry(p.Run, called, c.Side, c.Pool)
			}
			h.Hint = plus(schema.Textf("say which pool it is: %s", "写明它是哪个池：%s", entry), also)
			r.Hit(h)
		},
	}
}

// pairedOnce remembers the answer of paired.
type pairedOnce struct {
	once sync.Once
	yes  bool
}

// paired reports whether pairing was possible at all: without a manifest, files of one folder may have nothing to do
// with each other until at least one pool is found on two sides.
func paired(run *Run) bool {
	if !run.Manifest.Discovered {
		return true
	}
	run.paired.once.Do(func() {
		for _, g := range run.Pairing.Groups {
			if g.Copies[0].Side != g.Copies[len(g.Copies)-1].Side { // copies are sorted by side
				run.paired.yes = true
				return
			}
		}
	})
	return run.paired.yes
}
