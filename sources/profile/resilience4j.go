package profile

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// resilience4j is the profile of resilience4j circuit breakers and retries, 1.7 to 2.4. Facts: CircuitBreakerConfig,
// RetryConfig and IntervalFunction of resilience4j-circuitbreaker, -retry and -core, and CommonRetryConfiguration-
// Properties of resilience4j-framework-common.
//
// A breaker guards a name, not an address: it has no members, weights or probes, and an open one rejects every call.
func resilience4j() Profile {
	return Profile{Name: "resilience4j", Traits: Traits{AllOut: "reject", FreshWindow: true}, Complete: completeResilience4j}
}

// The defaults of CircuitBreakerConfig, RetryConfig and IntervalFunction.
const (
	r4jFailureRate  = 0.5
	r4jSlowRate     = 100.0
	r4jSlowCall     = 60 * time.Second
	r4jWindow       = 100
	r4jMinimum      = 100
	r4jHalfOpen     = 10
	r4jWait         = 60 * time.Second
	r4jMultiplier   = 1.5
	r4jRandom       = 0.5
	r4jMaxAttempts  = 3
	r4jWaitForRetry = 500 * time.Millisecond
)

// r4j completes one copy.
type r4j struct{ completion }

func completeResilience4j(c *schema.Copy, _ Version) []schema.Effective {
	r := &r4j{completion{c: c}}
	if c.States(schema.Decision) {
		r.decision()
	}
	if c.States(schema.Cooldown) {
		r.cooldown()
	}
	if c.States(schema.Decision) || c.States(schema.Cooldown) {
		r.standard("permittedNumberOfCallsInHalfOpenState", schema.IntOf(r4jHalfOpen))
	}
	if r.retries() {
		r.retry()
	}
	return r.out
}

// standard fills in a default of the library.
func (r *r4j) standard(p schema.Path, v schema.Value) {
	r.fill(p, v, schema.Textf("default of resilience4j", "resilience4j 的默认值"))
}

func (r *r4j) decision() {
	r.standard("decision.errorRatio", schema.NumberOf(r4jFailureRate))
	r.standard("slowCallRateThreshold", schema.NumberOf(r4jSlowRate))
	r.standard("decision.slow.threshold", schema.DurationOf(r4jSlowCall))
	switch {
	case r.unread("slidingWindowType"): // calls or seconds, nobody knows
	case r.says("slidingWindowType", "TIME_BASED"):
		r.standard("decision.window", schema.DurationOf(r4jWindow*time.Second))
		r.standard("decision.minSamples", schema.IntOf(r4jMinimum))
	default:
		r.standard("slidingWindowType", schema.TextOf("COUNT_BASED"))
		r.standard("slidingWindowSize", schema.IntOf(r4jWindow))
		r.samples()
	}
}

// samples: a window of calls cannot hold more samples than calls, and the sample floor is lowered to it.
func (r *r4j) samples() {
	size := int64(r4jWindow)
	if f, ok := r.c.Get("slidingWindowSize"); ok {
		size = f.Value.Int()
	} else if r.unread("slidingWindowSize") {
		return
	}
	switch f, written := r.c.Get("decision.minSamples"); {
	case written && f.Value.Int() > size:
		r.change("decision.minSamples", schema.IntOf(size), schema.Textf("lowered to the sliding window of %d calls", "被降到滑动窗口的 %d 次调用", size))
	case size < r4jMinimum:
		r.fill("decision.minSamples", schema.IntOf(size),
			schema.Textf("default of resilience4j, %d, lowered to the sliding window of %d calls", "resilience4j 的默认值 %d，被降到滑动窗口的 %d 次调用", int64(r4jMinimum), size))
	default:
		r.standard("decision.minSamples", schema.IntOf(r4jMinimum))
	}
}

func (r *r4j) cooldown() {
	r.standard("cooldown.duration", schema.DurationOf(r4jWait))
	if r.says("cooldown.growth.kind", "exponential") {
		r.standard("cooldown.growth.factor", schema.NumberOf(r4jMultiplier))
	}
	if r.yes("enableRandomizedWait") {
		r.standard("cooldown.jitter", schema.NumberOf(r4jRandom))
	}
	if !r.yes("automaticTransitionFromOpenToHalfOpenEnabled") {
		r.note("cooldown.duration", schema.Textf("the breaker leaves OPEN with the first call after it, not by itself", "到期后由第一次调用触发离开 OPEN，不会自行切换"))
	}
}

// retries reports whether the copy writes settings of the retry module; others retry too.
func (r *r4j) retries() bool {
	for _, f := range r.c.Fields {
		if _, model := schema.EntryOf(f.Path); !model && f.Path.Item() == schema.Retry {
			return true
		}
	}
	return false
}

// retry: maxAttempts counts the first call too.
func (r *r4j) retry() {
	if !r.unread("retry.maxAttempts") {
		r.fill("retry.attempts", schema.IntOf(r4jMaxAttempts-1),
			schema.Textf("default of resilience4j: %d attempts, the first call included", "resilience4j 的默认值：共 %d 次尝试，含首次调用", r4jMaxAttempts))
	}
	r.standard("retry.waitDuration", schema.DurationOf(r4jWaitForRetry))
}
