package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/poolproof/poolproof/schema"
)

// bad is the verdict of the business signal: the condition holds, over the whole window and on enough samples.
func (e *Engine) bad(now time.Duration, u *unit) bool {
	if now-u.since < e.cfg.window {
		return false
	}
	u.window.Epoch(now)
	counts := u.window.Counts()
	return counts.Total >= e.cfg.minSamples && e.holds(counts, u.slow.n)
}

// holds reports whether the condition of entry holds for these results, whatever their number.
func (e *Engine) holds(c window.Counts, slow int) bool {
	return c.Failures > 0 && float64(c.Failures) >= e.cfg.ratio*float64(c.Total) ||
		e.cfg.consecutive > 0 && c.Run >= e.cfg.consecutive ||
		e.cfg.slowTimes > 0 && slow >= e.cfg.slowTimes
}

// judging reports whether the business signal judges by any condition.
func (e *Engine) judging() bool {
	return e.cfg.business == judges && (e.cfg.ratio <= 1 || e.cfg.consecutive > 0 || e.cfg.slowTimes > 0)
}

// silenced reports whether an all-clear from outside silences the internal verdict, which it does only if the settings
// say so.
func (e *Engine) silenced(u *unit) bool {
	if !e.cfg.clears {
		return false
	}
	clear := true
	e.membersOf(u, func(i int) { clear = clear && e.members[i].external == well })
	return clear
}

// Verdicts are the three raw verdicts about a health domain. None of them is the outcome of the others.
type Verdicts struct {
	// Business is the domain's own results, whether or not they are enough to judge by; Judged says that they are, and
	// Bad what the verdict is.
	Business window.Counts
	Slow     int // confirmed slow results
	Judged   bool
	Bad      bool
	// Probe and External are "up", "down", or empty where nothing was heard. Of a line on several members it is "down"
	// if one of them is.
	Probe, External string
}

// Verdicts returns the raw verdicts about a member's requests of a kind, by the number of the interface, region or tenant
// that health domains tell apart.
func (e *Engine) Verdicts(now time.Duration, member, kind int) Verdicts {
	return e.verdicts(now, e.unit(int(e.members[member].group), min(kind, len(e.kinds)-1)))
}

func (e *Engine) verdicts(now time.Duration, u *unit) Verdicts {
	u.window.Epoch(now)
	v := Verdicts{Business: u.window.Counts(), Slow: u.slow.n, Bad: e.bad(now, u)}
	v.Judged = now-u.since >= e.cfg.window && v.Business.Total >= e.cfg.minSamples
	v.Probe, v.External = e.probeSays(u).String(), e.noticeSays(u).String()
	return v
}

// String returns what the signal says.
func (s signal) String() string { return [...]string{"", "up", "down"}[s] }

func (e *Engine) probeSays(u *unit) signal {
	s := silent
	e.membersOf(u, func(i int) { s = max(s, e.members[i].probe.says) })
	return s
}

func (e *Engine) noticeSays(u *unit) signal {
	s := silent
	e.membersOf(u, func(i int) { s = max(s, e.members[i].external) })
	return s
}

// reason words a removal with all three verdicts.
func (e *Engine) reason(now time.Duration, u *unit, c cause) schema.Text {
	v := e.verdicts(now, u)
	enHeard, zhHeard := heard(v.Probe, v.External)
	en, zh := "business judges: ", "业务判定："
	switch c {
	case byProbes:
		en, zh = "the probe judges, not business: ", "探测判定（非业务）："
	case byNotice:
		en, zh = "the outside notice judges, not business: ", "外部通知判定（非业务）："
	}
	return schema.Textf(en+"%d of %d results failed, %d slow"+enHeard, zh+"%[2]d 个结果中 %[1]d 个失败，%[3]d 次慢确认"+zhHeard, v.Business.Failures, v.Business.Total, v.Slow)
}

func heard(probe, external string) (en, zh string) {
	chinese := map[string]string{"up": "正常", "down": "故障"}
	if probe != "" {
		en, zh = "; probe: "+probe, "；探测："+chinese[probe]
	}
	if external != "" {
		en, zh = en+"; outside: "+external, zh+"；外部："+chinese[external]
	}
	return en, zh
}
