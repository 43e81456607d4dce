package permember

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/resilience4j"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// readResilience4j makes breakers from resilience4j's own names, and from the model's where a native file is written.
func (e *Engine) readResilience4j(r *setting.Reader, random *failover.Rand) error {
	cfg := resilience4j.Config{
		FailureRateThreshold:                         float32(100 * r.Number("decision.errorRatio", 0)),
		SlowCallRateThreshold:                        float32(r.Number("slowCallRateThreshold", 0)),
		SlowCallDurationThreshold:                    r.Duration("decision.slow.threshold", 0),
		SlidingWindowSize:                            r.Int("slidingWindowSize", 0),
		MinimumNumberOfCalls:                         r.Int("decision.minSamples", 0),
		PermittedNumberOfCallsInHalfOpenState:        r.Int("permittedNumberOfCallsInHalfOpenState", 0),
		MaxWaitDurationInHalfOpenState:               r.Duration("maxWaitDurationInHalfOpenState", 0),
		CloseAfterMaxWait:                            strings.EqualFold(r.Text("transitionToStateAfterWaitDuration", ""), "CLOSED"),
		AutomaticTransitionFromOpenToHalfOpenEnabled: r.Flag("automaticTransitionFromOpenToHalfOpenEnabled"),
		LockFree: r.Text("slidingWindowSynchronizationStrategy", "") == "LOCK_FREE",
		Wait:     waitOf(r),
	}
	// The rate is held in percent as a 32-bit float; 0.15 must be 15, not 15.000001.
	cfg.FailureRateThreshold = float32(math.Round(float64(cfg.FailureRateThreshold)*1e4) / 1e4)
	if span := r.Duration("decision.window", 0); span > 0 {
		cfg.SlidingWindowType, cfg.SlidingWindowSize = resilience4j.TimeBased, int(max(1, min(span/time.Second, window.MaxBuckets)))
	}
	if _, ok := r.Value("decision.consecutive"); ok {
		r.Assume(schema.Textf("resilience4j counts no failures in a row: decision.consecutive is not played", "resilience4j 不统计连续失败：未模拟 decision.consecutive"))
	}
	switch r.Text("initialState", "") {
	case "OPEN":
		cfg.Initial = breaker.Open
	case "HALF_OPEN":
		cfg.Initial = breaker.HalfOpen
	case "DISABLED":
		cfg.InitialMode = resilience4j.Disabled
	case "FORCED_OPEN":
		cfg.InitialMode = resilience4j.ForcedOpen
	case "METRICS_ONLY":
		cfg.InitialMode = resilience4j.MetricsOnly
	}
	e.afterEnd = !cfg.AutomaticTransitionFromOpenToHalfOpenEnabled
	e.longest = cfg.MaxWaitDurationInHalfOpenState
	for i := range e.members {
		source := random.Fork()
		cfg.Random, cfg.OnChange = &source, e.told(i)
		b, err := resilience4j.New(cfg)
		if err != nil {
			return fmt.Errorf("making the breakers: %w", err)
		}
		e.members[i].breaker = b
	}
	return nil
}

// waitOf is how long a breaker stays open. resilience4j grows it exponentially or not at all.
func waitOf(r *setting.Reader) resilience4j.Wait {
	d := r.Duration("cooldown.duration", time.Minute)
	factor := r.Number("cooldown.growth.factor", 0)
	jitter := r.Number("cooldown.jitter", 0)
	kind := r.Text("cooldown.growth.kind", "")
	if kind == "" && factor > 1 {
		kind = "exponential"
	}
	if jitter == 0 && r.Flag("enableRandomizedWait") {
		jitter = resilience4j.DefaultFactor
	}
	switch {
	case kind == "exponential":
		if factor == 0 {
			factor = resilience4j.DefaultMultiplier
		}
		return resilience4j.ExponentialRandom(d, factor, jitter, r.Duration("cooldown.max", 0))
	case kind == "linear":
		r.Assume(schema.Textf("resilience4j has no linear growth: the wait is played as constant", "resilience4j 没有线性增长：按固定等待处理"))
	}
	if jitter > 0 {
		return resilience4j.Randomized(d, jitter)
	}
	return resilience4j.Constant(d)
}
