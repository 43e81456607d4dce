package acceptance

import (
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// middle is the index of the middle batch; there is always one before it.
func (b *bench) middle() int { return max(1, len(b.copy.Batches)/2) }

// length is how long a batch lasts at most if all is well.
func (b *bench) length(i int) time.Duration {
	k := &b.copy.Batches[i]
	floor, share := float64(k.MinSamples), float64(i+1)/float64(len(b.copy.Batches))
	if floor == 0 {
		floor = float64(b.samples)
	}
	if k.HasShare {
		share = max(k.Share/100, 1e-3)
	}
	dwell := b.window
	if k.HasDwell {
		dwell = k.Dwell
	}
	return clampTime(max(dwell, b.window) + time.Duration(1.5*floor/b.rate(share)*1e9) + 2*time.Second)
}

// trouble words a fault that must stop a batch and is not enough to take the member out as a whole.
func (b *bench) trouble() string {
	entry := b.ratio
	if entry == 0 {
		entry = usualRatio
	}
	line, kinds := 0.0, map[string]bool{}
	slow := time.Duration(0)
	for _, s := range b.copy.Stops {
		name, _, _ := strings.Cut(s.Metric, "-")
		kinds[name] = true
		switch {
		case name == "error" && s.HasAbove && s.Against != "baseline":
			line = max(line, s.Above)
		case name == "latency" && s.HasAbove && s.Against != "baseline":
			slow = max(slow, time.Duration(2*s.Above*1e9))
		case name == "latency" && s.HasAbove:
			slow = max(slow, time.Duration(3*max(s.Above, 1)*float64(b.traffic.P99)))
		}
	}
	part := min(line+0.3*max(0, entry-line), 1)
	switch {
	case kinds["error"] || len(kinds) == 0:
	case kinds["latency"]:
		if b.slow > 0 {
			slow = min(slow, b.slowOver*9/10)
		}
		return "slowBy: " + dur(slow) + ", businessOnly: true"
	case kinds["business"]:
		part = 0.8 * entry
	case kinds["probe"]:
		return "down: true, probesOnly: true"
	}
	return b.bad(part) + ", businessOnly: true"
}

// comeback is a return on the way: what is played, and when the middle batch begins.
type comeback struct {
	events  []string
	traffic dryrun.Traffic
	mids    []time.Duration // by seed
	length  time.Duration   // until the end of the middle batch
}

// comeback plays the removal and undisturbed return of the target.
func (b *bench) comeback() (c comeback, failed result, ok bool) {
	c.traffic = b.plain()
	at, out, scout, ok := b.outage(c.traffic)
	if _, unable := b.unable("ramp/"); unable && ok {
		return c, b.simpleReturn(at, out), false
	}
	if !ok {
		return c, b.neverOut(scout, at), false
	}
	c.events = []string{b.fault(at, out+b.soon()-at, wholeFault)}
	end := out + clampTime(2*b.cooldown) + b.proof(1) + b.drain()
	for i := range b.copy.Batches[:b.middle()+1] {
		end += b.length(i)
	}
	runs := b.play(scene("an undisturbed return", clampTime(end), c.events...), c.traffic)
	for _, r := range runs {
		i := r.reached(b.middle() + 1)
		if i < 0 {
			return c, all(runs, func(r *run) (dryrun.Pass, schema.Text) {
				return dryrun.NotApplicable, schema.Textf("%s; %s: the middle batch did not come by %s", "%s；%s：到 %s 仍未到达中间批次", r.seen(b.id, r.stays(b.id, at)), r.path(), dur(end))
			}), false
		}
		c.mids = append(c.mids, r.steps[i].at)
		c.length = max(c.length, r.steps[i].at+b.length(b.middle())+b.window+5*time.Second)
	}
	return c, result{}, len(runs) > 0
}

// simpleReturn shows how a target returns whose return nobody judges.
func (b *bench) simpleReturn(at, out time.Duration) result {
	runs := b.play(scene("a simple return", out+clampTime(2*b.cooldown)+b.proof(1), b.fault(at, out+b.soon()-at, wholeFault)), b.plain())
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		return dryrun.NotApplicable, schema.Textf("%s; it was well again at %s", "%s；%s 已恢复", r.seen(b.id, r.stays(b.id, at)), dur(out+b.soon()))
	})
}

// path words the batches that a return went through.
func (r *run) path() schema.Text {
	if len(r.steps) == 0 {
		return schema.Textf("no batch began", "没有开始任何批次")
	}
	var list []schema.Text
	for i, s := range r.steps {
		if i == 10 {
			list = append(list, schema.Textf("%d more", "另有 %d 步", len(r.steps)-i))
			break
		}
		name := schema.Textf("batch %d", "第 %d 批", s.batch)
		if s.batch == 0 {
			name = schema.Textf("none", "没有批次")
		}
		list = append(list, schema.Textf("%s at %s", "%[2]s %[1]s", name, dur(s.at)))
	}
	return joined(list, ", ", "，")
}

// reached returns the first step that begins a batch, -1 if there is none.
func (r *run) reached(batch int) int {
	return slices.IndexFunc(r.steps, func(s step) bool { return s.batch == batch })
}

// back returns the step after the middle batch has begun, if it is the one back that the ramp states.
func (b *bench) back(r *run) (i int, ok bool) {
	i = r.reached(b.middle()+1) + 1
	if i == 0 || i >= len(r.steps) {
		return 0, false
	}
	want := b.middle() // counted from 1: the batch before
	if b.text("ramp.rollback.to") == "zero" {
		want = 0
	}
	if r.steps[i].batch != want {
		return 0, false
	}
	// No batch at all is also how the return ends.
	full := slices.ContainsFunc(r.Timeline, func(e dryrun.Entry) bool { return e.Member == b.id && e.Event == "in" && e.At == r.steps[i].at })
	return i, !full
}

// rest is how long a run rests after its step back until it goes on; negative if it does not.
func (r *run) rest(back int) time.Duration {
	for i := back + 1; i < len(r.steps); i++ {
		if r.steps[i].batch > r.steps[i-1].batch {
			return r.steps[i].at - r.steps[i-1].at
		}
	}
	return -1
}

// middleFailure: requests to the member fail in the middle batch, more than its stop conditions bear and less than what
// would take it out.
func middleFailure(b *bench) result {
	c, failed, ok := b.comeback()
	if !ok {
		return failed
	}
	trouble := b.trouble()
	runs := b.disturb(&c, trouble)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		_, stepped := b.back(r)
		return held(stepped), schema.Textf("%s; in batch %d of %d: %s", "%s；第 %d 批（共 %d 批）中：%s", r.path(), b.middle()+1, len(b.copy.Batches), trouble)
	})
}

// delay is how long after its beginning the middle batch fails.
const delay = 100 * time.Millisecond

// disturb plays the return with trouble from the beginning of the middle batch on.
func (b *bench) disturb(c *comeback, trouble string) []*run {
	return b.playEach(func(i int) string {
		return scene("a failure in a middle batch", clampTime(c.length), append(slices.Clone(c.events), b.fault(c.mids[i]+delay, 0, trouble))...)
	}, c.traffic)
}

// rollbackCooldown: the same, and all is well again as soon as it has stepped back.
func rollbackCooldown(b *bench) result {
	c, failed, ok := b.comeback()
	if !ok {
		return failed
	}
	rest := b.duration("ramp.rollback.cooldown", 0)
	trouble := b.trouble()
	scout := b.disturb(&c, trouble)
	ends := make([]time.Duration, len(scout))
	for i, r := range scout {
		k, ok := b.back(r)
		if !ok {
			return all(scout, func(r *run) (dryrun.Pass, schema.Text) {
				return dryrun.Failed, schema.Textf("%s; nothing stepped back", "%s；没有回退", r.path())
			})
		}
		ends[i] = max(r.steps[k].at, c.mids[i]+2*delay)
	}
	runs := b.playEach(func(i int) string {
		end := ends[i] + rest + b.length(b.middle()-1) + b.length(b.middle()) + 5*time.Second
		return scene("a step back", clampTime(end), append(slices.Clone(c.events), b.fault(c.mids[i]+delay, ends[i]-c.mids[i], trouble))...)
	}, c.traffic)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		k, ok := b.back(r)
		observed := schema.Textf("%s; ramp.rollback.cooldown is %s", "%s；ramp.rollback.cooldown 为 %s", r.path(), dur(rest))
		if rest <= 0 {
			return dryrun.Failed, schema.Textf("%s; no ramp.rollback.cooldown is written", "%s；没有写 ramp.rollback.cooldown", r.path())
		}
		if ok {
			if waited := r.rest(k); waited >= 0 {
				return held(waited >= rest), schema.Textf("%s, it went on after %s", "%s，%s 后继续", observed, dur(waited))
			}
		}
		return held(ok), observed
	})
}
