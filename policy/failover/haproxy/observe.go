package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// observe lets live traffic speak about a server (health_adjust). Only errors in a row count.
func (e *Engine) observe(now time.Duration, i int, o failover.Outcome) {
	s := &e.servers[i]
	switch s.observe {
	case observeNone:
		return
	case observeConnections:
		if o.Kind != failover.Refused && o.Kind != failover.ConnectTimeout {
			s.errors = 0
			return
		}
	case observeAnswers:
		if o.Kind == failover.Answered && good(o.Status) {
			s.errors = 0
			return
		}
	}
	if s.errors++; s.errors < s.limit {
		return
	}
	s.errors, s.forced = 0, true
	why := schema.Textf("%d observed errors in a row", "连续观察到 %d 次错误", s.limit)
	switch s.onError {
	case suddenDeath:
		if s.health > s.rise {
			s.health = s.rise + 1
		}
		e.fail(now, i, why)
	case failCheck:
		e.fail(now, i, why)
	case markDown:
		s.health = min(s.health, s.rise)
		e.fail(now, i, why)
	}
	// A check that is under way has its result now and ends uncounted, whatever comes of it.
	s.spoiled = s.probing && s.onError != fastInter
	if s.fastSet {
		// Also a server that this has taken out is looked at after fastinter, not downinter (2.6).
		s.due = min(s.due, now+s.fast)
	}
	e.schedule()
}

// good reports whether an answer is a sign of life: 100 to 499, 501 and 505.
func good(status uint16) bool { return status < 500 || status == 501 || status == 505 }
