package reconcile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// View is a copy together with what its engine makes of it.
type View struct {
	Copy      *schema.Copy
	Profile   profile.Profile
	Effective []schema.Effective
}

// NewView completes a copy with its profile. A copy without a known profile is seen as written.
func NewView(c *schema.Copy) *View {
	v := &View{Copy: c}
	if p, ok := profile.Lookup(c.Profile); ok {
		v.Profile = p
		v.Effective = p.EffectiveOf(c)
	}
	return v
}

// EffectiveOf returns what the engine makes of a path, where that is not just what is written.
func (v *View) EffectiveOf(p schema.Path) (schema.Effective, bool) {
	for _, e := range v.Effective {
		if e.Path == p && e.Value.Said() {
			return e, true
		}
	}
	return schema.Effective{}, false
}

// Value returns a setting at its effective value: what the engine uses, else what is written. at is unknown for values
// that nobody wrote.
func (v *View) Value(p schema.Path) (value schema.Value, at schema.Span, ok bool) {
	f, written := v.Copy.Get(p)
	if e, found := v.EffectiveOf(p); found && (e.Clamped || !written) {
		return e.Value, f.At, true
	}
	return f.Value, f.At, written
}

// Normal returns a value in the form in which it is compared: sets sorted, names of methods and protocols folded,
// status classes spelled one way.
func Normal(p schema.Path, v schema.Value) schema.Value {
	switch p {
	case "probe.protocol", "probe.host":
		return v.Map(strings.ToLower)
	case "probe.method":
		return v.Map(strings.ToUpper)
	case "probe.expect.statuses", "decision.counts":
		return statuses(v)
	case "retry.on", "cooldown.manual.requires", "ramp.target.members", "ramp.target.interfaces", "ramp.target.regions":
		return set(v, strings.TrimSpace)
	}
	if v.Kind() == schema.Int {
		// A whole number and the same number with a fraction of zero are one value.
		if e, ok := schema.EntryOf(p); ok && e.Kind == schema.Number {
			return schema.NumberOf(v.Number())
		}
	}
	return v
}

func set(v schema.Value, f func(string) string) schema.Value {
	items := v.List()
	if items == nil && v.Kind() == schema.TextKind {
		items = strings.Split(v.Text(), ",")
	}
	for i := range items {
		items[i] = f(items[i])
	}
	slices.Sort(items)
	return schema.ListOf(slices.Compact(items)...)
}

// statuses returns a set of status codes as merged ranges, however it is spelled: 2xx and 3xx are 200-399. Texts that
// are no codes ("timeout") stay.
func statuses(v schema.Value) schema.Value {
	items := v.List()
	if items == nil && v.Kind() == schema.TextKind {
		items = strings.Split(v.Text(), ",")
	}
	type span struct{ lo, hi int }
	var spans []span
	var out []string
	for _, s := range items {
		s = strings.ToLower(strings.TrimSpace(s))
		if len(s) == 3 && strings.HasSuffix(s, "xx") && s[0] >= '1' && s[0] <= '5' {
			s = s[:1] + "00-" + s[:1] + "99"
		}
		from, to, ranged := strings.Cut(s, "-")
		if !ranged {
			to = from
		}
		lo, err := strconv.Atoi(from)
		hi, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || hi < lo {
			out = append(out, s)
			continue
		}
		spans = append(spans, span{lo, hi})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	for i := 0; i < len(spans); {
		lo, hi := spans[i].lo, spans[i].hi
		for i++; i < len(spans) && spans[i].lo <= hi+1; i++ {
			hi = max(hi, spans[i].hi)
		}
		text := strconv.Itoa(lo)
		if hi > lo {
			text += "-" + strconv.Itoa(hi)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return schema.ListOf(slices.Compact(out)...)
}
