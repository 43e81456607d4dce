package evidence

import (
	"reflect"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// joinMaps returns what the base's map reads together with what only head's reads, and the other way round. The two are
// equal where head only adds or drops settings.
func joinMaps(base, head *schema.Map) (b, h *schema.Map) {
	if base == nil || head == nil || base.Pool != head.Pool || base.PoolEach != head.PoolEach || base.PoolName != head.PoolName {
		return base, head
	}
	return addMap(base, head), addMap(head, base)
}

// addMap returns m with the settings that only other reads.
func addMap(m, other *schema.Map) *schema.Map {
	out := *m
	if m.Members == "" && m.MembersEach == "" {
		out.Members, out.MembersEach, out.MembersMap = other.Members, other.MembersEach, other.MembersMap
	} else if m.MembersEach == other.MembersEach {
		out.MembersMap = addEntries(m.MembersMap, other.MembersMap)
	}
	out.Probe = addEntries(m.Probe, other.Probe)
	out.Decision = addEntries(m.Decision, other.Decision)
	out.Cooldown = addEntries(m.Cooldown, other.Cooldown)
	out.Retry = addEntries(m.Retry, other.Retry)
	if m.RampEach == "" && len(m.Ramp) == 0 {
		out.RampEach, out.Ramp = other.RampEach, other.Ramp
	} else if m.RampEach == other.RampEach {
		out.Ramp = addEntries(m.Ramp, other.Ramp)
	}
	return &out
}

func addEntries(list, other []schema.MapEntry) []schema.MapEntry {
	out := slices.Clone(list)
	for _, e := range other {
		if !slices.ContainsFunc(list, func(x schema.MapEntry) bool { return x.Key == e.Key }) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b schema.MapEntry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// equalMaps compares maps without their places.
func equalMaps(a, b *schema.Map) bool { return reflect.DeepEqual(unplaced(a), unplaced(b)) }

func unplaced(m *schema.Map) *schema.Map {
	if m == nil {
		return nil
	}
	c := *m
	c.At, c.PoolAt, c.MembersAt, c.RampAt = schema.Span{}, schema.Span{}, schema.Span{}, schema.Span{}
	for _, list := range []*[]schema.MapEntry{&c.MembersMap, &c.Probe, &c.Decision, &c.Cooldown, &c.Retry, &c.Ramp} {
		var bare []schema.MapEntry
		for _, e := range *list {
			bare = append(bare, schema.MapEntry{Key: e.Key, Expr: e.Expr})
		}
		*list = bare
	}
	return &c
}
