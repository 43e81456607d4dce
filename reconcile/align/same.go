package align

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// total is what several changes of one copy come to.
type total struct {
	fields  map[schema.Path]bool
	added   map[string]int
	removed map[int]bool
	tuned   map[int]aim
	batches []schema.Batch
	ramp    bool
	stops   bool
}

func totalOf(changes []*change) *total {
	t := &total{fields: map[schema.Path]bool{}, added: map[string]int{}, removed: map[int]bool{}, tuned: map[int]aim{}}
	for _, c := range changes {
		e := &c.alts[c.at].effect
		for _, p := range e.fields {
			t.fields[p] = true
		}
		for _, id := range e.added {
			t.added[id]++
		}
		for _, i := range e.removed {
			t.removed[i] = true
		}
		for i, a := range e.tuned {
			t.tuned[i] |= a
		}
		if e.ramp {
			t.ramp, t.batches = true, e.batches
		}
		t.stops = t.stops || e.stops
	}
	return t
}

// same reports whether a copy that was read again says what it said before, apart from what was to change.
func same(before, after *schema.Copy, t *total) bool {
	if before.Side != after.Side || before.Format != after.Format || before.Profile != after.Profile || before.Engine != after.Engine ||
		before.Env != after.Env || before.Pool != after.Pool || before.Owned != after.Owned || before.Strict != after.Strict ||
		before.Complete != after.Complete || !before.Effective.Equal(after.Effective) || !slices.Equal(before.Files, after.Files) {
		return false
	}
	for item := schema.Members; item < schema.Items; item++ {
		if before.States(item) != after.States(item) {
			return false
		}
	}
	return sameFields(before.Fields, after.Fields, t.fields) && sameMembers(before.Members, after.Members, t) &&
		sameBatches(before, after, t) && sameUnresolved(before, after, t) && noWorse(before.Problems, after.Problems)
}

func sameFields(before, after []schema.Field, may map[schema.Path]bool) bool {
	return slices.EqualFunc(before, after, func(a, b schema.Field) bool {
		return a.Path == b.Path && (a.Value == b.Value || may[a.Path])
	})
}

// sameMembers walks both lists: what stays has to come in the same order and unchanged.
func sameMembers(before, after []schema.Member, t *total) bool {
	open := map[string]int{}
	missing := 0
	for id, n := range t.added {
		open[id] = n
		missing += n
	}
	i := 0
	for j := range after {
		for i < len(before) && t.removed[i] {
			i++
		}
		a := &after[j]
		if i < len(before) && sameMember(&before[i], a, t.tuned[i]) {
			i++
			continue
		}
		id := a.ID()
		if open[id] == 0 {
			if id = hostOnly(a, open); id == "" {
				return false
			}
		}
		open[id]--
		missing--
	}
	for i < len(before) && t.removed[i] {
		i++
	}
	return i == len(before) && missing == 0
}

// hostOnly returns the identity of an added member that the copy writes without a port, as it does for all of them.
func hostOnly(m *schema.Member, open map[string]int) string {
	if m.Host == "" || m.PortString() != "" {
		return ""
	}
	for id, n := range open {
		if e, ok := schema.SplitEndpoint(id); ok && n > 0 && e.Host == m.Host {
			return id
		}
	}
	return ""
}

func sameMember(a, b *schema.Member, may aim) bool {
	return a.ID() == b.ID() && a.Host == b.Host && a.Origin == b.Origin && a.PortImplied == b.PortImplied && a.Provider == b.Provider && a.Model == b.Model &&
		(may&aimWeight != 0 || a.HasWeight == b.HasWeight && a.Weight == b.Weight) &&
		(may&aimPriority != 0 || a.HasPriority == b.HasPriority && a.Priority == b.Priority) &&
		(may&aimBackup != 0 || a.Backup == b.Backup) && (may&aimState != 0 || a.State == b.State) &&
		sameFields(a.Extra, b.Extra, nil)
}

func sameBatches(before, after *schema.Copy, t *total) bool {
	want := before.Batches
	if t.ramp {
		want = t.batches
	}
	if !slices.EqualFunc(want, after.Batches, sameBatch) {
		return false
	}
	return t.stops || slices.EqualFunc(before.Stops, after.Stops, func(a, b schema.Stop) bool {
		a.At, b.At = schema.Span{}, schema.Span{}
		return a == b
	})
}

func sameBatch(a, b schema.Batch) bool {
	return a.HasShare == b.HasShare && a.Share == b.Share && a.HasDwell == b.HasDwell && a.Dwell == b.Dwell && a.Manual == b.Manual &&
		a.MinSamples == b.MinSamples && a.Implied == b.Implied && slices.Equal(a.Regions, b.Regions) && slices.Equal(a.Priorities, b.Priorities)
}

// sameUnresolved reports whether nothing is unresolved that was not, and nothing has become known by accident.
func sameUnresolved(before, after *schema.Copy, t *total) bool {
	left := map[string]int{}
	for i := range before.Unresolved {
		u := &before.Unresolved[i]
		left[withoutIndex(string(u.Path))+"\x00"+u.Raw]++
	}
	for i := range after.Unresolved {
		u := &after.Unresolved[i]
		key := withoutIndex(string(u.Path)) + "\x00" + u.Raw
		if left[key] == 0 {
			// The last entry that wrote a value is gone, and so the path of the map finds none any more.
			if t.ramp && strings.HasPrefix(string(u.Path), "ramp.batches.") || len(t.removed) > 0 && strings.HasPrefix(string(u.Path), "members.") {
				continue
			}
			return false
		}
		left[key]--
	}
	return len(before.Unresolved) == len(after.Unresolved) || len(t.removed)+len(t.added) > 0 || t.ramp
}

// noWorse reports whether every problem was there before.
func noWorse(before, after []schema.Problem) bool {
	if len(after) == 0 {
		return true
	}
	left := map[string]int{}
	for i := range before {
		left[problemKey(&before[i])]++
	}
	for i := range after {
		key := problemKey(&after[i])
		if left[key] == 0 {
			return false
		}
		left[key]--
	}
	return true
}

func problemKey(p *schema.Problem) string {
	return p.Rule + "\x00" + p.Severity.String() + "\x00" + p.Item.String() + "\x00" + withoutIndex(p.Field) + "\x00" + p.Pool
}

// withoutIndex takes the numbers in brackets out of a path: entries of a list move.
func withoutIndex(s string) string {
	for {
		open := strings.IndexByte(s, '[')
		if open < 0 {
			return s
		}
		end := strings.IndexByte(s[open:], ']')
		if end < 0 {
			return s
		}
		s = s[:open] + s[open+end+1:]
	}
}
