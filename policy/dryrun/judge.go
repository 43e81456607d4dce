package dryrun

import (
	"math"
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// verdict judges an expectation by what happened.
func (s *sim) verdict(e *Expect) Verdict {
	v := Verdict{ID: e.ID, Text: e.describe(), Place: e.Place}
	n := -1
	if e.Member != "" {
		i, ok := s.number[e.Member]
		if !ok {
			v.Observed = schema.Textf("the pool has no member %s", "池中没有成员 %s", e.Member)
			return v
		}
		n = i
	}
	iface := -1
	if e.Interface != "" {
		if iface = slices.Index(s.interfaces, e.Interface); iface < 0 {
			v.Observed = schema.Textf("no request went to %s", "没有请求发往 %s", e.Interface)
			return v
		}
	}
	switch {
	case len(e.States) > 0 && n >= 0:
		s.judgeState(e, n, &v)
	case e.HasShare && n >= 0:
		s.judgeShare(e, n, iface, &v)
	case e.Metric != "":
		s.judgeMetric(e, n, iface, &v)
	default:
		v.Observed = schema.Textf("nothing is expected", "没有写预期")
	}
	return v
}

func (s *sim) judgeShare(e *Expect, n, iface int, v *Verdict) {
	from, to := e.window(s.end - s.start)
	total, parts, _ := s.sums(from, to, iface)
	whole, part := uint64(total.sent), uint64(parts[n].answers)
	what := schema.Textf("requests", "请求")
	switch e.Of {
	case OfAttempts:
		whole, part, what = 0, uint64(parts[n].attempts), schema.Textf("attempts", "尝试")
		for i := range parts {
			whole += uint64(parts[i].attempts)
		}
	case OfSent:
		part = uint64(parts[n].firsts)
	}
	if whole == 0 {
		v.Observed = schema.Textf("none of the %s fell into that time", "该时段内没有%s", what)
		return
	}
	v.Value = 100 * float64(part) / float64(whole)
	v.Observed = schema.Textf("%.2f %% (%d of %d %s)", "%.2f %%（%[3]d 个%[4]s中的 %[2]d 个）", v.Value, part, whole, what)
	v.hold(math.Abs(v.Value-e.Share) <= e.Tolerance+1e-9)
}

func (v *Verdict) hold(ok bool) {
	if v.Pass = Failed; ok {
		v.Pass = Held
	}
}

func (s *sim) judgeMetric(e *Expect, n, iface int, v *Verdict) {
	from, to := e.window(s.end - s.start)
	value, observed, ok := s.measure(e, from, to, n, iface)
	v.Observed = observed
	if !ok {
		if observed == notKept() {
			v.Pass = NotApplicable
		}
		return
	}
	v.Value = value
	if e.Metric.isDuration() {
		value *= 1e9
		slack := float64(e.Span)
		v.hold((!e.Above.Set || value > e.Above.Value-slack) && (!e.Below.Set || value < e.Below.Value+slack))
		return
	}
	v.hold((!e.Above.Set || value > e.Above.Value-e.Tolerance) && (!e.Below.Set || value < e.Below.Value+e.Tolerance))
}
