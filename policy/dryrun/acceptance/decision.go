package acceptance

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// probesFail: the probes of one member fail for long, and all its users are served well.
func probesFail(b *bench) result {
	at, length := b.lead(), b.detection(1)
	runs := b.play(scene("probes fail, business ok", at+length+time.Second, b.fault(at, length, "down: true, probesOnly: true")), b.plain())
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		stays := r.stays(b.id, at)
		probes := r.member(b.id).Probes
		observed := schema.Textf("%s from %s to %s, %d probes sent to it in all, %s", "%s（%s 至 %s，共向其发送 %d 次探测，%s）",
			r.seen(b.id, stays), dur(at), dur(at+length), probes, r.errors())
		if probes == 0 {
			return b.noProbes(observed)
		}
		return held(len(stays) == 0), observed
	})
}

// noProbes: without probes nothing can be misjudged by them.
func (b *bench) noProbes(observed schema.Text) (dryrun.Pass, schema.Text) {
	return dryrun.NotApplicable, schema.Textf("%s: no probe is sent", "%s：没有发送探测", observed)
}

// businessFails: the requests to one member fail, and its probes pass.
func businessFails(b *bench) result {
	at, length := b.lead(), b.detection(1)
	runs := b.play(scene("probes ok, business fails", at+length+time.Second, b.fault(at, 0, b.trip()+", businessOnly: true")), b.plain())
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		stays := r.stays(b.id, at)
		return held(len(stays) > 0), schema.Textf("%s; the fault began at %s, %s", "%s；故障始于 %s，%s", r.seen(b.id, stays), dur(at), r.errors())
	})
}

// parts words a fault that hits some kinds of the target's requests alone.
func (b *bench) parts(at, length time.Duration, key, part string) string {
	return b.fault(at, length, fmt.Sprintf("%s, businessOnly: true, %s: [%q]", b.trip(), key, part))
}

// someInterfaces: the requests of one interface (region, line) to one member fail, the others do not.
func someInterfaces(b *bench) result {
	key, parts, ok := b.dimension()
	if !ok {
		return b.notDivided()
	}
	ill, t := largest(parts), b.load(key, parts)
	at, length := b.lead(), b.detection(partOf(parts, ill))
	runs := b.play(scene("some interfaces fail", at+length+time.Second, b.parts(at, 0, key, ill)), t)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		stays := r.stays(b.id, at)
		observed := schema.Textf("%s; %s failed from %s, the others never; %s", "%s；%s 自 %s 起失败，其余始终正常；%s", r.seen(b.id, stays), ill, dur(at), r.errors())
		if len(stays) == 0 {
			return dryrun.NotApplicable, schema.Textf("%s: nothing was removed, so nothing shows how much is", "%s：没有摘除任何部分，无从得知会摘除多少", observed)
		}
		for _, s := range stays {
			if s.scope != ill {
				return dryrun.Failed, observed
			}
		}
		return dryrun.Held, observed
	})
}

// returnAlike: two interfaces fail, the second while the first cools down, and the first recovers.
func returnAlike(b *bench) result {
	key, parts, ok := b.dimension()
	if !ok {
		return b.notDivided()
	}
	well, ill, t := largest(parts), smallest(parts), b.load(key, parts)
	part := partOf(parts, ill)
	at, length := b.lead(), b.detection(part)
	scout := b.play(scene("an interface fails", at+length, b.parts(at, 0, key, well)), t)
	out, ok := firstOut(scout, b.id, at)
	if !ok {
		return b.neverOut(scout, at)
	}
	recovery := out + b.soon()
	second := max(at, out+b.cooldown/2-b.window/2)
	end := max(recovery, second) + clampTime(2*b.cooldown) + 2*b.proof(part) + length + b.drain()
	runs := b.play(scene("one interface recovers", clampTime(end), b.parts(at, recovery-at, key, well), b.parts(second, 0, key, ill)), t)
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		stays := r.stays(b.id, at)
		observed := schema.Textf("%s; %s recovered at %s, %s failed from %s on", "%s；%s 于 %s 恢复，%s 自 %s 起失败", r.seen(b.id, stays), well, dur(recovery), ill, dur(second))
		a, wasOut := of(stays, well)
		c, otherOut := of(stays, ill)
		if !wasOut || !otherOut {
			return dryrun.NotApplicable, schema.Textf("%s: not both were removed on their own", "%s：两者没有分别被摘除", observed)
		}
		cooled := r.next(b.id+" "+well, a.out)
		if most := a.out + b.mostCooldown(); b.cooldown > 0 && c.out < most && cooled > most {
			return dryrun.Failed, schema.Textf("%s; the cooldown of %s went on until %s, with that of %s", "%s；%s 的冷却持续到 %s，与 %s 的冷却一同结束", observed, well, dur(cooled), ill)
		}
		return held(a.back >= 0 && (c.back < 0 || c.back > a.back)), observed
	})
}

// next returns when something other than a cooldown is said of a part after a moment; negative if nothing is.
func (r *run) next(part string, after time.Duration) time.Duration {
	for _, e := range r.Timeline {
		if e.Member == part && e.At > after && e.Event != "cooling" {
			return e.At
		}
	}
	return -1
}

func (b *bench) notDivided() result {
	return result{pass: dryrun.NotApplicable, reason: schema.Textf("the pool states no granularity finer than the address", "池没有写比地址更细的粒度"),
		observed: schema.Textf("decision.granularity: %s, cooldown.granularity: %s", "decision.granularity：%s，cooldown.granularity：%s", b.written("decision.granularity"), b.written("cooldown.granularity"))}
}

// neverOut is the result where what has to come first did not come.
func (b *bench) neverOut(runs []*run, at time.Duration) result {
	return all(runs, func(r *run) (dryrun.Pass, schema.Text) {
		return dryrun.NotApplicable, schema.Textf("%s; it failed from %s on and was not taken out by %s, so there is no return to look at",
			"%s；它自 %s 起失败，到 %s 仍未被摘除，因此没有恢复过程可看", r.seen(b.id, r.stays(b.id, at)), dur(at), dur(r.Duration))
	})
}

func largest(parts []schema.Share) string {
	best := 0
	for i := range parts {
		if parts[i].Share > parts[best].Share {
			best = i
		}
	}
	return parts[best].Name
}

// smallest returns the smallest part that gets traffic and is not the largest.
func smallest(parts []schema.Share) string {
	not, best := largest(parts), -1
	for i := range parts {
		if p := &parts[i]; p.Name != not && p.Share > 0 && (best < 0 || p.Share < parts[best].Share) {
			best = i
		}
	}
	if best < 0 {
		return not
	}
	return parts[best].Name
}

// partOf is the part of the traffic, 0 to 1, that one kind has.
func partOf(parts []schema.Share, name string) float64 {
	sum, own := 0.0, 0.0
	for _, p := range parts {
		sum += p.Share
		if p.Name == name {
			own = p.Share
		}
	}
	if sum <= 0 {
		return 1
	}
	return own / sum
}
