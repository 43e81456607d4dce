package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

func compareText(a, b string) int { return cmp.Compare(a, b) }

// sources joins the sources of the two ends: those of the base stay as they are, apart from patterns that head adds to
// them, and those of head come behind, apart from such that stand in other repositories.
func (u *Union) sources(m, base, head *schema.Manifest) {
	m.Sources = slices.Clone(base.Sources)
	taken := make([]bool, len(base.Sources))
	var rest []int // of head's sources
	for j := range head.Sources {
		if i := find(base, taken, func(s *schema.Source) bool { return sameSource(s, &head.Sources[j]) }); i >= 0 {
			taken[i] = true
			stands(&m.Sources[i], &head.Sources[j])
			continue
		}
		rest = append(rest, j)
	}
	var other []int
	for _, j := range rest {
		h := &head.Sources[j]
		i := find(base, taken, func(s *schema.Source) bool { return sameReading(s, h) && meet(s, h) })
		if i < 0 {
			other = append(other, j)
			continue
		}
		taken[i] = true
		stands(&m.Sources[i], h)
		m.Sources[i].Files = union(m.Sources[i].Files, h.Files)
		m.Sources[i].Exclude = common(m.Sources[i].Exclude, h.Exclude)
		if len(m.Sources[i].Exclude) < len(h.Exclude) {
			// head excludes more: the base's files stay, and what head adds comes without what it excludes.
			m.Sources[i].Files, m.Sources[i].Exclude = base.Sources[i].Files, base.Sources[i].Exclude
			if added := without(h.Files, base.Sources[i].Files); len(added) > 0 {
				s := *h
				s.Files = added
				m.Sources = append(m.Sources, s)
			}
		}
	}
	for _, j := range other {
		h := &head.Sources[j]
		if h.Repo != "" {
			continue // what other repositories are opened, the base says alone
		}
		i := find(base, taken, func(s *schema.Source) bool { return samePool(s.Map, h.Map) && s.Side == h.Side && meet(s, h) })
		if i < 0 {
			i = find(base, taken, func(s *schema.Source) bool { return s.Side == h.Side && meet(s, h) })
		}
		if i < 0 {
			m.Sources = append(m.Sources, *h)
			continue
		}
		taken[i] = true
		own, new := *h, *h
		own.Map, new.Map = joinMaps(base.Sources[i].Map, h.Map)
		m.Sources[i].Map = own.Map
		if own.Files = base.Sources[i].Files; equalMaps(own.Map, new.Map) && sameReading(&m.Sources[i], &own) && sameFiles(&base.Sources[i], h) {
			continue
		}
		u.twins = append(u.twins, twin{i, len(m.Sources)})
		m.Sources = append(m.Sources, new)
	}
	for i := len(base.Sources); i < len(m.Sources); i++ {
		u.added = append(u.added, i)
	}
	for i := range taken {
		if !taken[i] || slices.ContainsFunc(u.twins, func(t twin) bool { return t.base == i }) {
			u.gone = append(u.gone, i)
			m.Sources[i].At = schema.Span{} // it stands nowhere in head
		}
	}
}

// stands gives a source of the base the place where the head has it, which is where people look.
func stands(s, head *schema.Source) { s.At = head.At }

// find returns the first source of the base that is not taken and fits, or -1.
func find(base *schema.Manifest, taken []bool, fits func(*schema.Source) bool) int {
	for i := range base.Sources {
		if !taken[i] && fits(&base.Sources[i]) {
			return i
		}
	}
	return -1
}

// sameSource reports whether two sources read the same files in the same way.
func sameSource(a, b *schema.Source) bool {
	return sameReading(a, b) && sameFiles(a, b)
}

func sameFiles(a, b *schema.Source) bool {
	return slices.Equal(a.Files, b.Files) && slices.Equal(a.Exclude, b.Exclude)
}

// sameReading reports whether two sources read a file alike.
func sameReading(a, b *schema.Source) bool {
	return a.Side == b.Side && a.Format == b.Format && a.Env == b.Env && a.Profile == b.Profile && a.Repo == b.Repo && a.Ref == b.Ref &&
		slices.Equal(a.Profiles, b.Profiles) && equalMaps(a.Map, b.Map)
}

func samePool(a, b *schema.Map) bool {
	return a != nil && b != nil && a.Pool == b.Pool && a.PoolEach == b.PoolEach && a.PoolName == b.PoolName
}

// meet reports whether two sources of one side are likely to read the same files: a pattern of the one is a pattern of the
// other, or matches it.
func meet(a, b *schema.Source) bool {
	for _, x := range a.Files {
		for _, y := range b.Files {
			if x == y || matches(x, y) || matches(y, x) {
				return true
			}
		}
	}
	return false
}

func matches(pattern, path string) bool {
	g, err := tree.CompileGlob(pattern)
	if err != nil {
		return false
	}
	_, ok := g.Match(strings.TrimPrefix(path, "./"))
	return ok
}

func union(a, b []string) []string { return append(slices.Clone(a), without(b, a)...) }

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// Settle is called between reading a tree and judging it, for the base before anything is judged. Where the change reads a
// file in another way than before (with another map, as another format), the union reads it in both; what the base's way
// understands counts as long as it understands the file, so that a change cannot look away from what it edits, and head's
// way where the base's no longer fits, so that settings and the map that finds them may move together. A source that matches
// no file is a matter of the end whose manifest has it. Names that head adds do not take copies of the base away from their
// pools.
func (u *Union) Settle(l *load.Loaded, head bool) {
	for _, t := range u.twins {
		base := map[string]*load.File{}
		for _, f := range l.Files {
			if f.Source == t.base {
				base[f.Path] = f
			}
		}
		for _, f := range l.Files {
			b := base[f.Path]
			if f.Source != t.head || b == nil {
				continue
			}
			loser := f
			if trouble(l, f) < trouble(l, b) {
				loser = b
			}
			loser.Result.Copies, loser.Result.Orders, loser.Result.Problems, loser.Markers = nil, nil, nil, nil
			if u.lost == nil {
				u.lost = map[*load.File]bool{}
			}
			u.lost[loser] = true
		}
	}
	if head {
		u.complaints(l, u.gone)
		return
	}
	u.complaints(l, u.added)
	u.stay(l)
}

// complaints drops those of some sources that they match no file.
func (u *Union) complaints(l *load.Loaded, sources []int) {
	l.Problems = slices.DeleteFunc(slices.Clone(l.Problems), func(p schema.Problem) bool {
		return p.Rule == "source/empty" && slices.ContainsFunc(sources, func(i int) bool { return u.Base.Sources[i].At == p.At })
	})
}

// trouble counts what a reading of a file did not understand.
func trouble(l *load.Loaded, f *load.File) int {
	n := 0
	count := func(problems []schema.Problem) {
		for i := range problems {
			if problems[i].Rule != "source/skipped" {
				n++
			}
		}
	}
	count(f.Result.Problems)
	for i := range f.Result.Copies {
		c := l.Whole(&f.Result.Copies[i])
		n += len(c.Unresolved)
		count(c.Problems)
	}
	if len(f.Result.Copies) == 0 {
		n += 1000
	}
	return n
}
