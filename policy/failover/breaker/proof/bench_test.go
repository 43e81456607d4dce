package proof

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/go-kratos/aegis/circuitbreaker/sre"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/adaptive"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/sony/gobreaker/v2"
)

// The benchmarks come in groups, ours beside theirs, alone and from all cores at once. Time is passed in, except where a
// name says "clock": there the machine's is read, as gobreaker does twice a call.
//
//	go test -bench . -benchmem -count 6 ./policy/failover/breaker/proof
func BenchmarkThreeState(b *testing.B) {
	ratio := verdict.Ratio{AtLeast: 0.5, MinVolume: 100}
	for _, c := range []struct {
		name string
		cfg  threestate.Config
	}{
		{"consecutive", threestate.Config{}},
		{"ratio-since", threestate.Config{Trip: ratio}},
		{"ratio-last100", threestate.Config{Trip: ratio, Window: window.LastN(100)}},
		{"ratio-rolling", threestate.Config{Trip: ratio, Window: window.Rolling(10*time.Second, 10)}},
	} {
		br, err := threestate.New(c.cfg)
		if err != nil {
			b.Fatal(err)
		}
		ok := breaker.Result{Class: breaker.Success}
		clock := breaker.RealClock(time.Now())
		group(b, c.name, func(now time.Duration) {
			p, err := br.Permit(now)
			if err == nil {
				br.Report(now, p, ok)
			}
		})
		group(b, c.name+"-clock", func(time.Duration) {
			p, err := br.Permit(clock.Now())
			if err == nil {
				br.Report(clock.Now(), p, ok)
			}
		})
	}
	br, err := threestate.New(threestate.Config{})
	if err != nil {
		b.Fatal(err)
	}
	clock, classifier := breaker.RealClock(time.Now()), breaker.NewClassifier()
	group(b, "Do-clock", func(time.Duration) { _ = breaker.Do(context.Background(), br, clock, classifier, succeed) })
}

func succeed(context.Context) error { return nil }

func BenchmarkGobreaker(b *testing.B) {
	for name, s := range map[string]gobreaker.Settings{
		"default": {},
		"rolling": {Interval: 10 * time.Second, BucketPeriod: time.Second},
	} {
		cb := gobreaker.NewCircuitBreaker[any](s)
		call := func() (any, error) { return nil, nil }
		group(b, name, func(time.Duration) { _, _ = cb.Execute(call) })
	}
}

func BenchmarkFailsafe(b *testing.B) {
	cb := circuitbreaker.NewBuilder[any]().WithFailureThresholdRatio(50, 100).Build()
	group(b, "last100", func(time.Duration) {
		if cb.TryAcquirePermit() {
			cb.RecordSuccess()
		}
	})
}

func BenchmarkAdaptive(b *testing.B) {
	br, err := adaptive.New(adaptive.Config{Random: rand.New(rand.NewPCG(1, 1))})
	if err != nil {
		b.Fatal(err)
	}
	group(b, "default", func(now time.Duration) {
		p, err := br.Permit(now)
		if err == nil {
			br.Report(now, p, breaker.Result{Class: breaker.Success})
		}
	})
}

func BenchmarkAegis(b *testing.B) {
	br := sre.NewBreaker()
	group(b, "default", func(time.Duration) {
		if br.Allow() == nil {
			br.MarkSuccess()
		}
	})
}

// group runs a call alone and in parallel; the time passed in moves on by 1 us a call.
func group(b *testing.B, name string, call func(now time.Duration)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		var now time.Duration
		for b.Loop() {
			now += time.Microsecond
			call(now)
		}
	})
	b.Run(name+"-parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			var now time.Duration
			for pb.Next() {
				now += time.Microsecond
				call(now)
			}
		})
	})
}
