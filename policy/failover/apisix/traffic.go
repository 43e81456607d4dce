package apisix

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// Statuses that APISIX answers with by itself.
const (
	badGateway = 502
	tooLate    = 504
)

// Pick chooses a node for a request that comes in.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	r.Own.At = now
	e.ask(now)
	return e.send(now, r)
}

func (e *Engine) send(now time.Duration, r *failover.Request) failover.Decision {
	i := e.choose(now, r)
	if i < 0 {
		return failover.Decision{Action: failover.Answer, Status: badGateway, Refused: r.Own.Tries == 0}
	}
	e.nodes[i].conns++
	r.Own.Tried.Add(int(i))
	r.Lease = failover.Lease{Member: i}
	return failover.Decision{Action: failover.Send}
}

// Report takes the outcome of an attempt. Errors and time-outs go on to another node (proxy_next_upstream error timeout),
// which is also when the attempt before is reported to the checker; answers, and the last attempt whatever it was, are
// reported only by checks.passive.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	i := r.Lease.Member
	e.nodes[i].conns--
	if e.balance == ewma && o.Kind != failover.Cancelled {
		e.learn(now, i, o.Took)
	}
	status := uint16(badGateway)
	switch o.Kind {
	case failover.Answered:
		e.final(now, int(i), o.Status)
		return failover.Decision{Action: failover.Pass}
	case failover.Cancelled:
		return failover.Decision{Action: failover.Answer} // 499 is in no list
	case failover.Timeout, failover.ConnectTimeout:
		status = tooLate
	}
	sent := o.Kind != failover.Refused && o.Kind != failover.ConnectTimeout
	if int(r.Own.Tries) < e.retries && !(sent && r.Unsafe) {
		r.Own.Tries++
		if e.deadline > 0 && now-r.Own.At > e.deadline {
			e.final(now, int(i), badGateway)
			return failover.Decision{Action: failover.Answer, Status: badGateway}
		}
		e.retried(now, int(i), status)
		d := e.send(now, r)
		if d.Action == failover.Answer {
			e.final(now, int(i), badGateway)
		}
		return d
	}
	e.final(now, int(i), status)
	return failover.Decision{Action: failover.Answer, Status: status}
}

// retried reports an attempt that is followed by another: a time-out or a TCP failure.
func (e *Engine) retried(now time.Duration, i int, status uint16) {
	if !e.checking || e.direct {
		return
	}
	k := tcpFailure
	if status == tooLate {
		k = timedOut
	}
	e.report(now, i, k, &e.checks.passive)
}

// final reports the status that the client gets, if it is in one of the lists of checks.passive.
func (e *Engine) final(now time.Duration, i int, status uint16) {
	if e.checking && e.checks.final {
		e.passiveStatus(now, i, status)
	}
}

var _ failover.Engine = (*Engine)(nil)
