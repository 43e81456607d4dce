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
	return Profile{Name: "resilience4j", Traits: Traits{AllOut: "reject"}, Complete: completeResilience4j}
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

// r4jCopy completes one copy.
type r4jCopy struct {
	c   *schema.Copy
	out []schema.Effective
}

func completeResilience4j(c *schema.Copy, _ Version) []schema.Effective {
	r := &r4jCopy{c: c}
	if c.States(schema.Decision) {
		r.decision()
	}
	if c.States(schema.Cooldown) {
		r.cooldown()
	}
	if c.States(schema.Retry) {
		r.retry()
	}
	return r.out
}

func (r *r4jCopy) add(p schema.Path, v schema.Value, why schema.Text) {
	r.out = append(r.out, schema.Effective{Path: p, Value: v, Why: why})
}

// has reports whether a default was added already.
func (r *r4jCopy) has(p schema.Path) bool {
	for i := range r.out {
		if r.out[i].Path == p {
			return true
		}
	}
	return false
}

// says reports whether the copy writes a setting, be it one that cannot be read.
func (r *r4jCopy) says(p schema.Path) bool {
	if _, ok := r.c.Get(p); ok {
		return true
	}
	for i := range r.c.Unresolved {
		if r.c.Unresolved[i].Path == p {
			return true
		}
	}
	return false
}

// fill adds a default where the copy says nothing.
func (r *r4jCopy) fill(p schema.Path, v schema.Value) {
	if !r.says(p) && !r.has(p) {
		r.add(p, v, r4jDefault())
	}
}

func r4jDefault() schema.Text {
	return schema.Textf("default of resilience4j", "resilience4j 的默认值")
}

func (r *r4jCopy) decision() {
	r.fill("decision.errorRatio", schema.NumberOf(r4jFailureRate))
	r.fill("slowCallRateThreshold", schema.NumberOf(r4jSlowRate))
	r.fill("decision.slow.threshold", schema.DurationOf(r4jSlowCall))
	r.fill("permittedNumberOfCallsInHalfOpenState", schema.IntOf(r4jHalfOpen))
	kind, written := r.c.Get("slidingWindowType")
	switch {
	case !written && r.says("slidingWindowType"): // unresolved: calls or seconds, nobody knows
		return
	case !written:
		r.add("slidingWindowType", schema.TextOf("COUNT_BASED"), r4jDefault())
	case kind.Value.Text() == "TIME_BASED":
		r.fill("decision.window", schema.DurationOf(r4jWindow*time.Second))
		r.fill("decision.minSamples", schema.IntOf(r4jMinimum))
		return
	}
	r.fill("slidingWindowSize", schema.IntOf(r4jWindow))
	r.samples()
}

// samples: a window of calls cannot hold more samples than calls, and the sample floor is lowered to it.
func (r *r4jCopy) samples() {
	size := int64(r4jWindow)
	if f, ok := r.c.Get("slidingWindowSize"); ok {
		size = f.Value.Int()
	} else if r.says("slidingWindowSize") {
		return
	}
	f, written := r.c.Get("decision.minSamples")
	switch {
	case written && f.Value.Int() > size:
		r.out = append(r.out, schema.Effective{Path: "decision.minSamples", Value: schema.IntOf(size), Clamped: true,
			Why: schema.Textf("lowered to the sliding window of %d calls", "被降到滑动窗口的 %d 次调用", size)})
	case written || r.says("decision.minSamples"):
	case size < r4jMinimum:
		r.add("decision.minSamples", schema.IntOf(size),
			schema.Textf("default of resilience4j, %d, lowered to the sliding window of %d calls", "resilience4j 的默认值 %d，被降到滑动窗口的 %d 次调用", int64(r4jMinimum), size))
	default:
		r.add("decision.minSamples", schema.IntOf(r4jMinimum), r4jDefault())
	}
}

func (r *r4jCopy) cooldown() {
	r.fill("cooldown.duration", schema.DurationOf(r4jWait))
	if kind, ok := r.c.Get("cooldown.growth.kind"); ok && kind.Value.Text() == "exponential" {
		r.fill("cooldown.growth.factor", schema.NumberOf(r4jMultiplier))
	}
	if random, ok := r.c.Get("enableRandomizedWait"); ok && random.Value.Bool() {
		r.fill("cooldown.jitter", schema.NumberOf(r4jRandom))
	}
	r.fill("permittedNumberOfCallsInHalfOpenState", schema.IntOf(r4jHalfOpen))
	if automatic, ok := r.c.Get("automaticTransitionFromOpenToHalfOpenEnabled"); !ok || !automatic.Value.Bool() {
		if f, ok := r.c.Get("cooldown.duration"); ok {
			r.add(f.Path, f.Value, schema.Textf("the breaker leaves OPEN with the first call after it, not by itself", "到期后由第一次调用触发离开 OPEN，不会自行切换"))
		}
	}
}

// retry: maxAttempts counts the first call too.
func (r *r4jCopy) retry() {
	if !r.says("retry.attempts") && !r.says("retry.maxAttempts") {
		r.add("retry.attempts", schema.IntOf(r4jMaxAttempts-1), schema.Textf("default of resilience4j: %d attempts, the first call included", "resilience4j 的默认值：共 %d 次尝试，含首次调用", r4jMaxAttempts))
	}
	r.fill("retry.waitDuration", schema.DurationOf(r4jWaitForRetry))
}
