package acceptance

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// drain is how long requests of before may be in flight after a removal.
func (b *bench) drain() time.Duration {
	const limits = 66 * time.Second
	if per := b.duration("retry.perTry", 0); per > 0 {
		return 2*per + time.Second
	}
	return limits
}

// leastCooldown is how long the first cooldown lasts at least.
func (b *bench) leastCooldown() time.Duration {
	return time.Duration(float64(b.cooldown)*(1-b.jitter)) - time.Millisecond
}

// mostCooldown is how long after a removal the first cooldown is over at most.
func (b *bench) mostCooldown() time.Duration {
	d := time.Duration(float64(b.cooldown)*(1+b.jitter)) + 2*time.Second
	if strings.HasPrefix(b.trip(), "hang") || strings.HasPrefix(b.trip(), "slow") {
		d += b.drain()
	}
	return d
}

const wholeFault = "down: true"

// outage finds out when the target is taken out by a fault of everything.
func (b *bench) outage(t dryrun.Traffic) (at, out time.Duration, scout []*run, ok bool) {
	at = b.lead()
	scout = b.play(scene("a member is down", at+b.detection(1), b.fault(at, 0, wholeFault)), t)
	out, ok = firstOut(scout, b.id, at)
	return at, out, scout, ok
}

// soon is how long after its removal a member recovers: well before the cooldown is over.
func (b *bench) soon() time.Duration { return max(b.cooldown/4, 100*time.Millisecond) }

// earlyRecovery: the member is well again after a quarter of the cooldown.
func earlyRecovery(b *bench) result {
	t := b.plain()
	at, out, scout, ok := b.outage(t)
	if !ok {
		return b.neverOut(scout, at)
	}
	recovery := out + b.soon()
	runs := b.play(scene("early recovery", out+clampTime(2*b.cooldown)+b.proof(1), b.fault(at, recovery-at, wholeFault)), t)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		stays := r.stays(b.id, at)
		observed := schema.Textf("%s; well again at %s, cooldown.duration is %s", "%s；%s 已恢复，cooldown.duration 为 %s", r.seen(b.id, stays), dur(recovery), b.written("cooldown.duration"))
		if b.cooldown <= 0 {
			return dryrun.Failed, schema.Textf("%s: a cooldown of nothing keeps nobody out", "%s：冷却为零，不会把任何成员留在池外", observed)
		}
		if len(stays) == 0 {
			return dryrun.NotApplicable, observed
		}
		for _, s := range stays {
			if s.back >= 0 && s.back-s.out < b.leastCooldown() {
				return dryrun.Failed, observed
			}
		}
		return dryrun.Held, observed
	})
}

// forced: half-way through the cooldown an operator puts the member back, with everything that an order can say.
func forced(b *bench) result {
	t := b.plain()
	at, out, scout, ok := b.outage(t)
	if !ok {
		return b.neverOut(scout, at)
	}
	order := out + b.cooldown/2
	const review = 24 * time.Hour
	put := fmt.Sprintf(`{at: %s, operator: {force: in, member: %q, initiator: on-call, saw: "five good answers by hand", reclaim: "errors above 5 %%", review: %s}}`,
		dur(order), b.id, dur(review))
	runs := b.play(scene("forced back", order+clampTime(2*b.cooldown)+b.proof(1), b.fault(at, out+b.soon()-at, wholeFault), put), t)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) { return b.judgeForced(r, order) })
}

func (b *bench) judgeForced(r *run, order time.Duration) (dryrun.Pass, schema.Text) {
	for _, e := range r.Timeline {
		if e.Event == "operator" && e.Member == b.id && (strings.HasPrefix(e.Why.En, "refused") || strings.HasPrefix(e.Why.En, "the engine cannot")) {
			said := schema.Textf("the order at %s was %s", "%s 的指令：%s", dur(order), e.Why)
			if f, ok := b.copy.Get("cooldown.manual.allowed"); ok && !f.Value.Bool() {
				return dryrun.NotApplicable, said
			}
			return dryrun.Failed, said
		}
	}
	if len(r.orders) == 0 {
		return dryrun.Failed, schema.Textf("the order at %s left no record", "%s 的指令没有留下记录", dur(order))
	}
	o := r.orders[len(r.orders)-1].Order
	observed := schema.Textf("ordered at %s by %s, saw %q, until %q, review in %s", "%s 由 %s 下达，所见 %q，收回条件 %q，%s 后复查",
		dur(order), o.Initiator, o.Saw, o.Reclaim, dur(o.Review))
	recorded := o.Initiator != "" && o.Saw != "" && o.Review > 0
	stays := r.stays(b.id, 0)
	anew := false
	for _, s := range stays {
		if s.out <= order && (s.back < 0 || s.back > order) || s.out >= order {
			anew = s.back < 0 || s.back-order >= b.leastCooldown()
			break
		}
	}
	observed = schema.Textf("%s; %s; a new cooldown lasts until %s", "%s；%s；新的冷却到 %s 为止", observed, r.seen(b.id, stays), dur(order+b.cooldown))
	if missing := b.unrequired(); missing != "" {
		return dryrun.Failed, schema.Textf("%s; but an order without its %s would be carried out as well (cooldown.manual.requires)",
			"%s；但没有 %s 的指令也会被执行（cooldown.manual.requires）", observed, missing)
	}
	return held(recorded && anew && b.cooldown > 0), observed
}

// unrequired names what an order may leave unsaid although the pool writes what orders must say.
func (b *bench) unrequired() string {
	f, ok := b.copy.Get("cooldown.manual.requires")
	if !ok {
		return ""
	}
	for _, want := range []string{"initiator", "saw", "review"} {
		found := false
		for _, have := range f.Value.List() {
			found = found || have == want
		}
		if !found {
			return want
		}
	}
	return ""
}
