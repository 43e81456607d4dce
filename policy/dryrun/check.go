package dryrun

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// maxDuration bounds a run, with its warm-up.
const maxDuration = 7 * 24 * time.Hour

// settle is for how long a scenario without a duration goes on after its last event, if no expectation is later.
const settle = 30 * time.Second

// end returns how long the scenario is played: as long as it says, or until its last event has settled and the time of
// its last expectation is over.
func (s *Scenario) end() time.Duration {
	if s.Duration > 0 {
		return s.Duration
	}
	end := time.Duration(0)
	for i := range s.Events {
		e := &s.Events[i]
		last := e.At + e.For
		if e.Every > 0 && e.Times > 1 {
			last += min(e.Every, maxDuration/time.Duration(e.Times)) * time.Duration(e.Times-1)
		}
		if e.Fault != nil && e.Fault.Gradually {
			last += e.For
		}
		end = max(end, last)
	}
	expected := time.Duration(0)
	for i := range s.Expect {
		e := &s.Expect[i]
		expected = max(expected, e.At, e.At+max(e.Within, 0), e.By, e.To)
	}
	if end >= expected && len(s.Events) > 0 {
		end += settle
	}
	if end = max(end, expected); end == 0 {
		end = defaultDuration
	}
	return end
}

// defaultDuration is that of a scenario in which nothing happens and nothing is expected.
const defaultDuration = time.Minute

// check finds what no grammar can: times that never come, and lines that contradict each other or themselves.
func check(s *Scenario, r *reader) {
	end := s.end()
	if end > maxDuration-min(s.Warm, maxDuration) {
		r.invalid(s.DurationAt, schema.Textf("the scenario is longer than %s", "场景超过 %s", schema.FormatDuration(maxDuration)), schema.Textf("write a shorter duration", "请缩短 duration"))
	}
	times := 0.0
	for i := range s.Events {
		e := &s.Events[i]
		checkEvent(e, s, end, r)
		times += e.occurrences(end)
		if times > maxOccurrences {
			r.invalid(e.Place, schema.Textf("with this, more than %d things happen", "至此发生的事件超过 %d 次", maxOccurrences), schema.Textf("write fewer repetitions", "请减少重复次数"))
			break
		}
	}
	if n := len(s.Expect); n > maxExpect {
		r.invalid(s.Expect[maxExpect].Place, schema.Textf("%d expectations; there may be %d", "共 %d 条预期；最多 %d 条", n, maxExpect), schema.Textf("make a second scenario", "请分成多个场景"))
		return
	}
	if t := s.Traffic; t != nil && len(t.Interfaces)+len(t.Regions)+len(t.Tenants)+len(t.Methods) > maxKinds {
		r.invalid(s.TrafficAt, schema.Textf("more than %d kinds of requests", "请求种类超过 %d 种", maxKinds), schema.Text{})
		return
	}
	ids := map[string]bool{}
	for i := range s.Expect {
		e := &s.Expect[i]
		if e.ID != "" && ids[e.ID] {
			r.invalid(e.Place, schema.Textf("a second expectation is called %q", "有另一条预期也名为 %q", e.ID), schema.Textf("give it a name of its own", "请另取名称"))
		}
		ids[e.ID] = true
		checkExpect(e, end, r)
	}
	contradictions(s.Expect, r)
}

// What a scenario may hold, so that every run is over in time.
const (
	maxOccurrences = 100_000
	maxExpect      = 2000
	maxKinds       = 1000
)

// occurrences returns how often an event comes.
func (e *Event) occurrences(end time.Duration) float64 {
	n := 1.0
	if e.Every > 0 && end > e.At {
		n += float64((end - e.At) / e.Every)
		if e.Times > 0 {
			n = min(n, float64(e.Times))
		}
	}
	return n
}

func checkEvent(e *Event, s *Scenario, end time.Duration, r *reader) {
	switch {
	case e.Every > 0 && e.Times == 0 && s.Duration == 0:
		r.invalid(e.Place, schema.Textf("this comes again without end, and the scenario has no duration", "此事无限重复，而场景没有 duration"), schema.Textf("write times, or the duration of the scenario", "请写 times，或写场景的 duration"))
	case e.At >= end:
		r.warn(e.Place, schema.Textf("this happens at %s, when the scenario is over", "此事发生于 %s，场景已经结束", schema.FormatDuration(e.At)), schema.Textf("write a longer duration", "请延长 duration"))
	case e.Times > 0 && e.Every == 0:
		r.warn(e.Place, schema.Textf("times without every: it happens once", "只有 times 没有 every：只发生一次"), schema.Textf("write every", "请写 every"))
	}
	if e.Every > 0 && e.Every < time.Millisecond {
		r.invalid(e.Place, schema.Textf("this comes again every %s; at least 1ms has to lie between", "此事每 %s 重复一次；间隔至少 1ms", schema.FormatDuration(e.Every)), schema.Text{})
	}
	if e.Every > 0 && e.For > e.Every {
		r.warn(e.Place, schema.Textf("it lasts longer than the time until it comes again: it never ends in between", "持续时间超过重复间隔：中间从不结束"), schema.Text{})
	}
	f := e.Fault
	switch {
	case f == nil && e.External == nil && e.Operator == nil && !e.Reload && !e.Apply:
		r.warn(e.Place, schema.Textf("nothing happens here", "此处没有发生任何事"), schema.Textf("write a fault, external, operator, reload or apply", "请写 fault、external、operator、reload 或 apply"))
	case f == nil:
	case f.ProbesOnly && f.BusinessOnly:
		r.invalid(e.Place, schema.Textf("probesOnly and businessOnly together hit nothing", "probesOnly 与 businessOnly 同时设置则不影响任何请求"), schema.Textf("leave out one, or both", "请去掉其中一个，或都去掉"))
	case f.Down == NotDown && !f.Hang && f.SlowBy == 0 && f.Errors == 0:
		r.warn(e.Place, schema.Textf("the fault does nothing", "该故障没有任何作用"), schema.Textf("write down, hang, slowBy or errors", "请写 down、hang、slowBy 或 errors"))
	case f.Errors > 0 && (f.Status < 100 || f.Status > 599):
		r.warn(e.Place, schema.Textf("the status is no HTTP status; played as %d", "状态码不是 HTTP 状态码；按 %d 处理", f.Status), schema.Textf("write one from 100 to 599", "请写 100 到 599"))
	}
}

func checkExpect(e *Expect, end time.Duration, r *reader) {
	kinds := 0
	for _, is := range []bool{len(e.States) > 0, e.Metric != "", e.HasShare} {
		if is {
			kinds++
		}
	}
	start, stop := e.window(end)
	switch {
	case kinds == 0:
		r.invalid(e.Place, schema.Textf("%q expects nothing", "%q 没有任何预期", e.ID), schema.Textf("write state, share or metric", "请写 state、share 或 metric"))
	case kinds > 1:
		r.invalid(e.Place, schema.Textf("%q expects several things", "%q 含有多个预期", e.ID), schema.Textf("make a line for each", "请各写一条"))
	case len(e.States) > 0 && e.Member == "":
		r.invalid(e.Place, schema.Textf("%q names a state and no member", "%q 写了 state 却没有 member", e.ID), schema.Textf("write member", "请写 member"))
	case e.HasShare && e.Member == "":
		r.invalid(e.Place, schema.Textf("%q names a share and no member", "%q 写了 share 却没有 member", e.ID), schema.Textf("write member", "请写 member"))
	case e.Metric != "" && !e.Above.Set && !e.Below.Set:
		r.invalid(e.Place, schema.Textf("%q measures %s and draws no line", "%q 度量 %s 却没有界限", e.ID, string(e.Metric)), schema.Textf("write above or below", "请写 above 或 below"))
	case e.Metric == Status && e.Status == 0:
		r.invalid(e.Place, schema.Textf("%q does not say which status", "%q 没有说明哪个状态码", e.ID), schema.Textf("write status", "请写 status"))
	case e.Above.Set && e.Below.Set && e.Above.Value >= e.Below.Value:
		r.invalid(e.Place, schema.Textf("%q can never hold: nothing lies above the one line and below the other", "%q 不可能成立：没有值同时高于 above 且低于 below", e.ID), schema.Textf("above has to be the smaller one", "above 应小于 below"))
	case stop < start:
		r.invalid(e.Place, schema.Textf("%q ends before it begins", "%q 的结束早于开始", e.ID), schema.Textf("from has to be the earlier one", "from 应早于 to"))
	case start >= end && end > 0 && (start > end || len(e.States) == 0):
		r.invalid(e.Place, schema.Textf("%q begins at %s, when the scenario is over", "%q 始于 %s，场景已经结束", e.ID, schema.FormatDuration(start)), schema.Textf("write a longer duration", "请延长 duration"))
	}
	for _, b := range []Bound{e.Above, e.Below} {
		if b.Set && e.Metric != "" && b.Duration != e.Metric.isDuration() {
			want := schema.Textf("a number", "数字")
			if e.Metric.isDuration() {
				want = schema.Textf("a length of time", "时长")
			}
			r.invalid(e.Place, schema.Textf("%[1]q: %[2]s is measured as %[3]s", "%[1]q：%[2]s 的度量单位是%[4]s", e.ID, string(e.Metric), want.En, want.Zh), schema.Text{})
		}
	}
}

// isDuration reports whether a metric is a length of time.
func (m Metric) isDuration() bool {
	return m == LatencyP50 || m == LatencyP95 || m == LatencyP99 || m == AllOut
}

// contradictions finds pairs of lines that cannot both hold.
func contradictions(list []Expect, r *reader) {
	// Each is compared with a bounded number of others, so that a long list costs no more than its length.
	const reach = 200
	for i := range list {
		for j := max(0, i-reach); j < i; j++ {
			a, b := &list[j], &list[i]
			if a.Member != b.Member || a.Interface != b.Interface || a.Span != 0 || b.Span != 0 {
				continue
			}
			if clash(a, b) {
				r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, At: b.Place,
					Text:    schema.Textf("%q and %q cannot both hold", "%q 与 %q 不可能同时成立", a.ID, b.ID),
					Hint:    schema.Textf("change or remove one of them", "请修改或删除其中一条"),
					Related: []schema.Note{{At: a.Place, Label: schema.Textf("the other one", "另一条")}}})
				break
			}
		}
	}
}

func clash(a, b *Expect) bool {
	switch {
	case len(a.States) > 0 && len(b.States) > 0:
		if a.Within > 0 || b.Within > 0 || a.By >= 0 || b.By >= 0 {
			return false
		}
		aFrom, aTo := a.window(never)
		bFrom, bTo := b.window(never)
		if max(aFrom, bFrom) > min(aTo, bTo) {
			return false
		}
		for s := failover.In; s <= failover.Manual; s++ {
			if accepts(a.States, s) && accepts(b.States, s) {
				return false
			}
		}
		return true
	case a.From != b.From || a.To != b.To || a.At != b.At || a.Within != b.Within || a.By != b.By:
		return false
	case a.HasShare && b.HasShare && a.Of == b.Of:
		return a.Share-a.Tolerance > b.Share+b.Tolerance || b.Share-b.Tolerance > a.Share+a.Tolerance
	case a.Metric != "" && a.Metric == b.Metric && a.Status == b.Status:
		return a.Above.Set && b.Below.Set && a.Above.Value >= b.Below.Value || b.Above.Set && a.Below.Set && b.Above.Value >= a.Below.Value
	}
	return false
}

// accepts reports whether a state is one of those expected. Out includes cooling and manual.
func accepts(want []failover.State, got failover.State) bool {
	return slices.Contains(want, got) || got.Gone() && slices.Contains(want, failover.Out)
}

// window returns when an expectation looks: from its first to its last moment.
func (e *Expect) window(end time.Duration) (from, to time.Duration) {
	switch {
	case e.At >= 0:
		return e.At, e.At + max(e.Within, 0)
	case e.By >= 0:
		return max(e.From, 0), e.By
	}
	if to = e.To; to < 0 {
		to = end
	}
	return max(e.From, 0), to
}
