package provider

import (
	"net/http"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// Call is one request on its way. The zero Call is a new one; one that is done may be used again.
type Call struct {
	need     Need
	asked    failover.Set // deployments that were really asked
	skipped  failover.Set // deployments whose breaker refused this call
	at       int
	permit   breaker.Permit
	leased   bool
	headers  bool
	tries    int
	onlyOwn  bool // every answer so far was the caller's own affair: 401, 403, 429
	status   int  // of the last of them
	condemns bool // breakers are asked no more
}

// Action is what has to be done with a call.
type Action uint8

// The actions.
const (
	// Ask the deployment Step.Deployment, and hand in what comes of it.
	Ask Action = iota
	// Pass the deployment's answer on to the caller. The call is done.
	Pass
	// Answer the caller with Step.Status. The call is done.
	Answer
	// Break: the response had begun and cannot be completed. The call is done.
	Break
)

// Step is the next thing to do.
type Step struct {
	Action     Action
	Deployment int
	Status     int
}

// Asked is how many deployments were really asked.
func (c *Call) Asked() int { return c.tries }

// Begin starts a call. Where no deployment fits, it is answered with 422 at once: see Router.Fits for the reasons.
func (r *Router) Begin(now time.Duration, c *Call, n Need) Step {
	c.need, c.leased, c.headers, c.tries, c.onlyOwn, c.condemns = n, false, false, 0, true, false
	c.asked.Clear()
	c.skipped.Clear()
	return r.next(now, c)
}

// Headers notes that the headers of the response were passed on: from now on the call stays where it is.
func (c *Call) Headers() { c.headers = true }

// Result takes what came of the deployment that was asked, and says what is next. An answer that was passed on as it came
// in is handed in when it is complete, or broke.
func (r *Router) Result(now time.Duration, c *Call, status int, kind breaker.Kind, took time.Duration) Step {
	res := r.classifier.Result(status, kind, took)
	if c.leased {
		c.leased = false
		r.breaker(c).Report(now, c.permit, res)
	}
	answered := kind == breaker.Answered
	switch {
	case kind == breaker.Cancel, res.Class == breaker.Cancelled && answered:
		return Step{Action: Break, Deployment: c.at}
	case c.headers && answered:
		return Step{Action: Pass, Deployment: c.at}
	case c.headers:
		return Step{Action: Break, Deployment: c.at}
	case answered && !elsewhere(status):
		return Step{Action: Pass, Deployment: c.at, Status: status}
	}
	if own := answered && status < 500; own {
		c.status = status
	} else {
		c.onlyOwn = false
	}
	return r.next(now, c)
}

// elsewhere reports whether another deployment may give a better answer: the one that was asked failed, or refuses this
// caller or its quota. What is wrong with the request itself is wrong everywhere.
func elsewhere(status int) bool {
	return status >= 500 || status < 100 ||
		status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

func (r *Router) breaker(c *Call) breaker.Breaker {
	return r.breakers[r.list[c.at].domain+c.need.capability]
}

// next finds a deployment that fits and was not asked: one that its breaker permits, else one that it refused.
func (r *Router) next(now time.Duration, c *Call) Step {
	if !c.condemns {
		if r.permitted(now, c) {
			return Step{Action: Ask, Deployment: c.at}
		}
		c.condemns = true
	}
	for _, tier := range r.tiers {
		for _, i := range tier {
			if !c.asked.Has(i) && r.Fits(i, c.need) == Fits {
				c.leased = false // it counts for nothing: what the breaker did not admit cannot close it
				r.ask(c, i)
				return Step{Action: Ask, Deployment: i}
			}
		}
	}
	switch {
	case c.tries == 0:
		return Step{Action: Answer, Status: http.StatusUnprocessableEntity}
	case c.onlyOwn:
		return Step{Action: Answer, Status: c.status}
	}
	return Step{Action: Answer, Status: http.StatusServiceUnavailable}
}

// permitted goes through the tiers for a deployment whose breaker admits the call, within a tier in turn.
func (r *Router) permitted(now time.Duration, c *Call) bool {
	for _, tier := range r.tiers {
		from := 0
		if len(tier) > 1 {
			from = int(r.turn.Add(1) % uint32(len(tier)))
		}
		for k := range tier {
			i := tier[(from+k)%len(tier)]
			if c.asked.Has(i) || c.skipped.Has(i) || r.Fits(i, c.need) != Fits {
				continue
			}
			c.at = i
			permit, err := r.breaker(c).Permit(now)
			if err != nil {
				c.skipped.Add(i)
				continue
			}
			c.permit, c.leased = permit, true
			r.ask(c, i)
			return true
		}
	}
	return false
}

func (r *Router) ask(c *Call, i int) {
	c.at = i
	c.asked.Add(i)
	c.tries++
}
