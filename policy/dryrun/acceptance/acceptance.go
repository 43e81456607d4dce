// Package acceptance plays the acceptance cases of failover pools: eight things that a pool must do, each made from the
// pool's own settings, played in its engine, and judged by what was observed.
//
// A case is judged where the pool states what it is about and the engine can do it; else it is not applicable, with the
// reason. Where that shows something, it is played all the same: what an engine does by design is a fact to know.
package acceptance

import (
	"context"
	"path"
	"strings"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/schema"
)

// Outcome is what came of one case.
type Outcome struct {
	// Text is what the case expects.
	Text schema.Text
	Pass dryrun.Pass
	// Reason says why the case is not applicable.
	Reason schema.Text
	// Observed is never empty.
	Observed schema.Text
	// Summary is of the play that was judged; nil if nothing could be played.
	Summary *dryrun.Summary
}

// one is an acceptance case.
type one struct {
	id   string
	text schema.Text
	play func(b *bench) result
}

// result is what a case makes of its play.
type result struct {
	pass     dryrun.Pass
	reason   schema.Text
	observed schema.Text
	runs     []*run
}

func cases() []one {
	return []one{
		{"decision/probes-fail-business-ok", schema.Textf("probes fail while business is normal: no switch", "探测失败而业务正常：不切换"), probesFail},
		{"decision/probes-ok-business-fails", schema.Textf("probes pass while business fails: switched out by the main judge", "探测通过而业务失败：由主判据切出"), businessFails},
		{"granularity/some-interfaces", schema.Textf("some interfaces fail: only these are removed, the others of the address stay", "部分接口失败：只摘除这些接口，该地址的其余接口保留"), someInterfaces},
		{"granularity/return-alike", schema.Textf("they recover: the return is per interface too", "接口恢复：恢复同样按接口进行"), returnAlike},
		{"cooldown/early-recovery", schema.Textf("the member recovers sooner than the cooldown: it is not returned early", "成员早于冷却结束恢复：不提前放回"), earlyRecovery},
		{"cooldown/forced", schema.Textf("an operator forces it back during the cooldown: recorded, and a new cooldown starts", "冷却期间人工强制放回：留有记录，并重新开始冷却"), forced},
		{"ramp/middle-failure", schema.Textf("a failure in a middle batch: it stops there and steps back one batch", "中间批次失败：停在该批并回退一批"), middleFailure},
		{"ramp/rollback-cooldown", schema.Textf("a failure in a middle batch: the step back enters a cooldown", "中间批次失败：回退后进入冷却"), rollbackCooldown},
	}
}

// IDs lists the cases in their order.
func IDs() []string {
	list := cases()
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].id
	}
	return ids
}

// QuickSeeds is under how many seeds cases are played where they must not take long, as in a check of each change. Requests
// come evenly in all of them, so that seeds differ in the balancing, the latencies and the moments of probes alone.
const QuickSeeds = 2

// Set is the cases of one pool. What several cases play alike is played once. It is used by one goroutine.
type Set struct{ bench *bench }

// New prepares the cases for a copy, which names the engine, under so many seeds.
func New(c *schema.Copy, t cast.Traffic, seeds int) *Set { return &Set{newBench(c, t, seeds)} }

// Play plays one case. A context that ends while it is played makes it not applicable, with that reason.
func (s *Set) Play(ctx context.Context, id string) Outcome {
	for _, k := range cases() {
		if k.id != id {
			continue
		}
		s.bench.ctx, s.bench.failure = ctx, nil
		r := s.bench.judge(&k)
		out := Outcome{Text: k.text, Pass: r.pass, Reason: r.reason, Observed: r.observed}
		if len(r.runs) > 0 {
			results := make([]*dryrun.Result, len(r.runs))
			for i := range r.runs {
				results[i] = r.runs[i].Result
			}
			out.Summary = dryrun.Summarise(results)
		}
		if strings.TrimSpace(out.Observed.En) == "" {
			out.Pass, out.Observed = dryrun.Failed, schema.Textf("nothing was observed, which proves nothing", "没有观察到任何情况，不能证明什么")
		}
		return out
	}
	return Outcome{Text: schema.Textf("%q is no acceptance case", "%q 不是验收用例", id), Pass: dryrun.Failed, Observed: schema.Textf("there is no such case", "没有该用例")}
}

// Play plays a single case on a copy. For more than one, New shares what they have in common.
func Play(id string, c *schema.Copy, t cast.Traffic, seeds int) Outcome {
	return New(c, t, seeds).Play(context.Background(), id)
}

// judge plays a case and weighs what it found against what the engine can do.
func (b *bench) judge(k *one) result {
	why, unable := b.unable(k.id)
	if b.target < 0 {
		return result{pass: dryrun.NotApplicable, reason: schema.Textf("no member takes traffic by configuration", "按配置没有成员接收流量"), observed: schema.Textf("%d members, none active", "%d 个成员，均未启用", len(b.copy.Members))}
	}
	r := k.play(b)
	switch {
	case b.failure != nil:
		return result{pass: dryrun.NotApplicable, reason: schema.Textf("it could not be played", "无法演练"), observed: failure(b.failure)}
	case unable:
		r.pass, r.reason = dryrun.NotApplicable, why
	case r.pass == dryrun.Failed && b.program():
		r.pass, r.reason = dryrun.NotApplicable, schema.Textf("that is what these settings mean to %s; nothing in them claims more", "这些设置在 %s 中即如此工作，并未声明更多", b.engine)
	case r.pass == dryrun.NotApplicable && r.reason.En == "":
		r.reason = schema.Textf("the play did not come to what is judged", "演练未到达可判断的阶段")
	}
	return r
}

// failure words what kept a case from being played. An error that has no Chinese words is told as it is.
func failure(err error) schema.Text {
	t := schema.Text{En: err.Error()}
	if e, ok := err.(interface{ In(lang string) string }); ok {
		t.Zh = e.In("zh")
	}
	return t
}

// area is the part of an id before the slash.
func area(id string) string { return path.Dir(id) }
