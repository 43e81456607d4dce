package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
)

func poolMissingCopy() Rule {
	return Rule{
		ID: "pool/missing-copy", Severity: schema.Warning, FullOnly: true,
		Title: schema.Text{En: "the gateway has a pool that a configured app or doc side lacks", Zh: "网关有该池，但已配置的应用方或文档方没有"},
		Pool: func(p *Pool, r *Reporter) {
			gateways := p.Of(schema.Gateway)
			if len(gateways) == 0 || !paired(p.Run) || allOwned(gateways) {
				return
			}
			for _, side := range []schema.Side{schema.App, schema.Doc} {
				if !p.Run.Sides[side] || slices.ContainsFunc(p.Of(side), speaks) || p.Run.lost.side(p.Run, side) {
					continue
				}
				c := gateways[0].Copy
				h := Hit{Copy: c, At: c.PoolAt, Field: string(side),
					Text: schema.Textf("the gateway has this pool and no %s copy does", "网关有该池，而没有%s副本", SideName(side))}
				called := noName
				if near := p.Run.near.withoutGateway(p.Run, side).Nearest(p.Group.Pool); len(near) > 0 {
					called = near[0]
					h.Text = plus(h.Text, schema.Textf("; the nearest names there: %s", "；那里最接近的名称：%s", strings.Join(near, ", ")))
				}
				entry, also := p.Run.near.oneEntry(p.Run, c.Pool, side, called)
				h.Hint = plus(schema.Textf("add it there, or say what it is called there: %s", "补上副本，或写明那里的名称：%s", entry), also)
				if env := strayed(p, side); env != "" {
					h.Text = schema.Textf("the gateway has this pool and no %s copy does in this environment; there is one in %s, where no gateway has it",
						"网关有该池，而该环境中没有%s副本；环境 %s 中有一份，但那里没有网关副本", SideName(side), env)
					h.Hint = schema.Textf("correct the environment of that copy, or add one for %s", "请更正那份副本的环境，或补上环境 %s 的副本", p.Group.Env)
				}
				if entry, name := p.Run.near.miscalled(p.Run, c.Pool); entry != "" {
					h.Hint = schema.Textf("the manifest says that the pool %q is called %q on the gateway, and no gateway has that name: correct it to %q",
						"清单写明池 %q 在网关上叫 %q，而没有网关用此名称：请更正为 %q", entry, name, c.Pool)
				}
				r.Hit(h)
			}
		},
	}
}

// strayed returns an environment in which a side has the pool and no gateway does, or nothing: most often it is misspelt.
func strayed(p *Pool, side schema.Side) string {
	if p.Group.Env == "" {
		return ""
	}
	for _, g := range p.Run.everywhere.of(p.Run, p.Group.Pool) {
		if len(g.Of(side)) > 0 && len(g.Of(schema.Gateway)) == 0 {
			return g.Env
		}
	}
	return ""
}

// speaks reports whether a copy says something of its pool, or something that is wrong keeps it from that. A section of
// which a table was passed over is no copy.
func speaks(c *Copy) bool {
	if _, carrier := c.Copy.Get("carrier"); !carrier {
		return true
	}
	return slices.ContainsFunc(c.Copy.Problems, func(p schema.Problem) bool { return p.Rule != "source/skipped" })
}

func allOwned(copies []*Copy) bool {
	for _, c := range copies {
		if !c.Copy.Owned {
			return false
		}
	}
	return true
}

// lostSides are the sides of which nothing could be read, though there are files: an unreadable file or a template is
// not an empty one, so nobody knows which pools they lack. Nor does anybody where another repository was not read.
type lostSides struct {
	once  sync.Once
	sides map[schema.Side]bool
}

func (l *lostSides) side(run *Run, side schema.Side) bool {
	l.once.Do(func() {
		read, lost, opened := map[schema.Side]bool{}, map[schema.Side]bool{}, map[int]bool{}
		if run.Loaded != nil {
			for _, f := range run.Loaded.Files {
				opened[f.Source] = true
				s := run.Manifest.Sources[f.Source].Side
				if len(f.Result.Copies) > 0 {
					read[s] = true
				}
				for _, p := range f.Result.Problems {
					switch p.Rule {
					case "source/syntax", "source/unreadable", "source/unresolved":
						lost[s] = true
					}
				}
			}
		}
		for s := range read {
			delete(lost, s)
		}
		for i := range run.Manifest.Sources { // a repository that is not read may hold any pool
			if s := &run.Manifest.Sources[i]; s.Repo != "" && !opened[i] && run.Loaded != nil {
				lost[s.Side] = true
			}
		}
		l.sides = lost
	})
	return l.sides[side]
}
