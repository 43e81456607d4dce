package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// fullShare is the weight scale of dynamic algorithms (BE_WEIGHT_SCALE).
const fullShare = 16

// spreadAbove is the interval from which on checks of a whole process are spread together (SRV_CHK_INTER_THRES).
const spreadAbove = time.Second

func (s *server) top() int { return s.rise + s.fall - 1 }

// initialise sets the health at start: at rise, so that the first failure takes the server down.
func (s *server) initialise() {
	s.health = s.rise
	switch s.init {
	case initFullyUp:
		s.health = s.top()
	case initDown:
		s.health = s.rise - 1
	case initFullyDown:
		s.health = 0
	}
	if s.health < s.rise {
		s.phase = stopped
	}
}

// interval is the time from the end of a check to the next one (srv_getinter).
func (s *server) interval() time.Duration {
	switch {
	case !s.forced && s.health == s.top():
		return s.inter
	case s.phase == stopped && s.health == 0:
		return s.down
	}
	return s.fast
}

// planChecks spreads the first checks: server i of n after i/n of its own first interval, or of the shortest of all
// that are at least a second long.
func (e *Engine) planChecks(now time.Duration) {
	n, shortest := 0, time.Duration(0)
	for i := range e.servers {
		s := &e.servers[i]
		if !s.check {
			continue
		}
		n++
		if d := s.interval(); d >= spreadAbove && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	k := 0
	for i := range e.servers {
		s := &e.servers[i]
		if !s.check {
			continue
		}
		over := max(shortest, s.interval())
		s.due = now + (over * time.Duration(k) / time.Duration(n)).Truncate(time.Millisecond)
		k++
	}
}

// Tick starts a check, or takes a step of a slow start.
func (e *Engine) Tick(now time.Duration) (failover.Probe, bool) {
	e.now = now
	defer e.schedule()
	for i := range e.servers {
		s := &e.servers[i]
		if s.warmup <= now {
			e.warm(now, i)
			return failover.Probe{}, false
		}
		if s.due <= now {
			if s.maint {
				s.due = now + s.interval()
				return failover.Probe{}, false
			}
			if s.probing {
				e.giveUp(now, i)
				return failover.Probe{}, false
			}
			s.due, s.probing = failover.Never, true
			return e.probe(int32(i), s), true
		}
	}
	return failover.Probe{}, false
}

// giveUp ends the check that is under way because traffic has brought its end forward (fastinter). It has failed, unless
// traffic has failed one instead.
func (e *Engine) giveUp(now time.Duration, i int) {
	s := &e.servers[i]
	spoiled := s.spoiled
	s.probing, s.spoiled, s.forced = false, false, false
	s.round++
	if !spoiled {
		e.fail(now, i, schema.Textf("check failed: timeout", "探测失败：超时"))
	}
	s.due = now + s.interval()
}

// probe makes the check of a server. One interval bounds connection and answer together, unless timeout check is set:
// then the connection has the smaller of timeout connect and the interval, and the answer has timeout check. One that is
// shorter than the connection's is noticed only at that time, because the task is not queued anew (2.6).
func (e *Engine) probe(i int32, s *server) failover.Probe {
	p := failover.Probe{Member: i, Generation: s.round, Path: e.checkPath, TCP: e.checkTCP}
	if e.checkTimeout == 0 {
		p.Total = s.inter
		return p
	}
	p.Connect = s.inter
	if c := e.info.Limits.Connect; c > 0 {
		p.Connect = min(p.Connect, c)
	}
	p.Response = max(e.checkTimeout, p.Connect)
	return p
}

// Probed takes the result of a check.
func (e *Engine) Probed(now time.Duration, p failover.Probe, o failover.Outcome) {
	e.now = now
	i := int(p.Member)
	s := &e.servers[i]
	if p.Generation != s.round {
		return
	}
	spoiled := s.spoiled
	s.probing, s.spoiled, s.forced = false, false, false
	defer e.schedule()
	if s.maint {
		s.due = now + s.interval()
		return
	}
	if spoiled {
		s.due = now + s.interval()
		return
	}
	passed, leaving := o.Kind == failover.Answered, false
	if passed && !e.checkTCP {
		leaving = e.notFoundDrains && o.Status == 404
		passed = leaving || e.good.Has(o.Status)
	}
	if passed {
		e.pass(now, i, leaving)
	} else {
		e.fail(now, i, failure(o))
	}
	s.due = now + s.interval()
}

// failure words a failed check.
func failure(o failover.Outcome) schema.Text {
	switch o.Kind {
	case failover.Answered:
		return schema.Textf("check failed: status %d", "探测失败：状态码 %d", o.Status)
	case failover.Refused:
		return schema.Textf("check failed: connection refused", "探测失败：连接被拒绝")
	case failover.ConnectTimeout, failover.Timeout:
		return schema.Textf("check failed: timeout", "探测失败：超时")
	}
	return schema.Textf("check failed: connection closed", "探测失败：连接被关闭")
}

// pass counts a passed check, which also forgets the observed errors.
func (e *Engine) pass(now time.Duration, i int, leaving bool) {
	s := &e.servers[i]
	if s.health < s.top() {
		if s.health++; s.health >= s.rise {
			s.health = s.top()
		}
	}
	s.errors = 0
	switch {
	case s.health < s.rise:
	case leaving && s.phase != stopped && s.phase != stopping:
		s.phase, s.warmup = stopping, failover.Never
		e.changed(now, i, schema.Textf("check answered 404: no new traffic", "探测返回 404：不再接收新流量"), false)
	case !leaving && s.phase == stopped:
		e.raise(now, s)
		e.changed(now, i, schema.Textf("%d checks passed", "连续 %d 次探测成功", s.rise), false)
		e.clearBackups(now, i)
	case !leaving && s.phase == stopping:
		s.phase = running
		e.changed(now, i, schema.Textf("check passed", "探测成功"), false)
	}
}

// raise puts a server back, slowly if it starts slowly.
func (e *Engine) raise(now time.Duration, s *server) {
	s.phase, s.share, s.warmup = running, fullShare, failover.Never
	s.since = now
	if s.slowstart > 0 {
		s.phase, s.share, s.warmup = starting, 1, now+time.Second
	}
}

// fail counts a failed check, whoever says that it failed. Only a server with health left can lose some.
func (e *Engine) fail(now time.Duration, i int, why schema.Text) {
	s := &e.servers[i]
	if s.health > 0 {
		if s.health--; s.health < s.rise {
			s.health = 0
		}
	}
	if s.health > 0 || s.phase == stopped {
		return
	}
	s.phase, s.warmup, s.share = stopped, failover.Never, fullShare
	e.changed(now, i, why, s.severs)
}

// warm takes a step of a slow start: 1 + 16 t/T sixteenths of the weight after t of T whole seconds.
func (e *Engine) warm(now time.Duration, i int) {
	s := &e.servers[i]
	t, whole := int((now-s.since)/time.Second), int(s.slowstart/time.Second)
	if t >= whole {
		s.phase, s.share, s.warmup = running, fullShare, failover.Never
		e.changed(now, i, schema.Textf("slow start is over", "慢启动结束"), false)
		return
	}
	s.share = (fullShare*t + whole) / whole
	s.warmup = now + time.Second
	e.reweigh()
}

// clearBackups closes the connections to backups if the server says so when it comes up.
func (e *Engine) clearBackups(now time.Duration, i int) {
	if s := &e.servers[i]; !s.clears || s.backup || s.eweight == 0 || e.notify == nil {
		return
	}
	for j := range e.servers {
		if b := &e.servers[j]; b.backup {
			e.notify(failover.Transition{At: now, Member: j, From: b.shown, To: b.shown, Sever: true,
				Why: schema.Textf("%s is up: sessions on backups are closed", "%s 已恢复：关闭备用 server 上的会话", e.servers[i].id)})
		}
	}
}
