package scan

import (
	"cmp"
	"io/fs"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// shown keeps what was made for showing, until it changes.
type shown struct {
	pools map[poolKey]*status.Pool
	order []*status.Pool // sorted; nil where all have to be made
	dirty map[poolKey]bool
}

// stale says that a pool changed, came or went.
func (s *shown) stale(k poolKey) {
	if s.order == nil {
		return
	}
	if s.dirty == nil {
		s.dirty = map[poolKey]bool{}
	}
	s.dirty[k] = true
}

func byName(a, b *status.Pool) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Env, b.Env))
}

// Pools returns the pools for showing, sorted by name and environment. Those that did not change are the same ones as
// before; the list itself is never changed.
func (s *Scanner) Pools() []*status.Pool {
	sh := &s.shown
	if sh.order == nil {
		sh.pools, sh.dirty = make(map[poolKey]*status.Pool, len(s.groups)), nil
		sh.order = make([]*status.Pool, 0, len(s.groups))
		for k, g := range s.groups {
			p := s.pool(k, g.group)
			sh.pools[k] = p
			sh.order = append(sh.order, p)
		}
		slices.SortFunc(sh.order, byName)
		return sh.order
	}
	if len(sh.dirty) == 0 {
		return sh.order
	}
	var fresh []*status.Pool
	gone := map[*status.Pool]bool{}
	for k := range sh.dirty {
		if old := sh.pools[k]; old != nil {
			gone[old] = true
			delete(sh.pools, k)
		}
		if g := s.groups[k]; g != nil {
			p := s.pool(k, g.group)
			sh.pools[k] = p
			fresh = append(fresh, p)
		}
	}
	slices.SortFunc(fresh, byName)
	order := make([]*status.Pool, 0, len(s.groups))
	for _, p := range sh.order {
		if gone[p] {
			continue
		}
		for len(fresh) > 0 && byName(fresh[0], p) < 0 {
			order, fresh = append(order, fresh[0]), fresh[1:]
		}
		order = append(order, p)
	}
	sh.order, sh.dirty = append(order, fresh...), nil
	return sh.order
}

func (s *Scanner) pool(k poolKey, g *reconcile.Group) *status.Pool {
	p := &status.Pool{Name: g.Pool, Env: g.Env, Findings: slices.Clone(s.pools[k])}
	if g.Entry != nil {
		p.Owner = g.Entry.Owner
	}
	for _, c := range g.Copies {
		p.Copies = append(p.Copies, status.Copy{Side: c.Side, File: c.File(), Format: c.Format})
	}
	SortFindings(p.Findings)
	return p
}

// SortFindings puts the graver ones first, then those of one rule and file together.
func SortFindings(list []schema.Finding) {
	slices.SortStableFunc(list, func(a, b schema.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Member, b.Member))
	})
}

// Loose returns the findings of no pool, sorted.
func (s *Scanner) Loose() []schema.Finding {
	list := slices.Clone(s.run)
	for _, of := range s.places {
		list = append(list, of...)
	}
	for k, of := range s.pools {
		if s.groups[k] == nil { // of a pool that no file has
			list = append(list, of...)
		}
	}
	SortFindings(list)
	return list
}

// Groups returns the pools, in no order, and what makes their copies whole.
func (s *Scanner) Groups() ([]*reconcile.Group, func(*schema.Copy) *schema.Copy) {
	list := make([]*reconcile.Group, 0, len(s.groups))
	of := make(map[*schema.Copy]*load.Loaded, 3*len(s.groups))
	for _, g := range s.groups {
		list = append(list, g.group)
		for _, c := range g.group.Copies {
			of[c] = g.loaded
		}
	}
	slices.SortFunc(list, func(a, b *reconcile.Group) int { return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Env, b.Env)) })
	return list, func(c *schema.Copy) *schema.Copy {
		if l := of[c]; l != nil {
			return l.Whole(c)
		}
		return c
	}
}

// Orders are the change orders, as of the last look at everything.
func (s *Scanner) Orders() []*schema.ChangeOrder { return s.orders }

// Beside are files that count though no source lists them.
func (s *Scanner) Beside() map[string]bool {
	list := map[string]bool{}
	if s.index != nil {
		for _, p := range s.index.Besides() {
			list[p] = true
		}
	}
	return list
}

// source reads the files that findings stand in, each once as long as they come file by file.
func (s *Scanner) source() report.Source {
	var name string
	var text []byte
	return func(p schema.Place) ([]byte, bool) {
		switch {
		case p.File == s.options.Manifest.File && s.options.Text != nil:
			return s.options.Text, true
		case p.File == "" || !fs.ValidPath(p.File):
			return nil, false
		case p.File != name:
			data, err := s.options.Tree.Read(p.File)
			if err != nil {
				return nil, false
			}
			name, text = p.File, data
		}
		return text, true
	}
}
