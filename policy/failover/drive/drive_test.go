package drive_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/controller"
	"github.com/poolproof/poolproof/policy/failover/drive"
	"github.com/poolproof/poolproof/schema"
)

const s = time.Second

// gateway is a gateway that sends by shares.
type gateway struct {
	t       *testing.T
	mu      sync.Mutex
	shares  []float64
	credit  []float64
	history [][]float64
	refuse  int // how often it refuses
	calls   int
}

var errBusy = errors.New("the gateway is busy")

func (g *gateway) Apply(_ context.Context, _ int, shares []drive.Share) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls++; g.refuse > 0 {
		g.refuse--
		return errBusy
	}
	sum := 0.0
	g.shares = make([]float64, len(shares))
	for i, x := range shares {
		g.shares[i] = x.Share
		sum += x.Share
	}
	if math.Abs(sum-1) > 1e-9 && sum != 0 {
		g.t.Errorf("the shares sum to %v", sum)
	}
	g.history = append(g.history, g.shares)
	return nil
}

// pick chooses a member by smooth round robin.
func (g *gateway) pick() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.credit == nil {
		g.credit = make([]float64, len(g.shares))
	}
	best := 0
	for i, x := range g.shares {
		if g.credit[i] += x; g.credit[i] > g.credit[best] {
			best = i
		}
	}
	g.credit[best]--
	return best
}

type prober struct{ well func(string) bool }

func (p prober) Probe(_ context.Context, member string, _ failover.Probe) failover.Outcome {
	if p.well(member) {
		return failover.Outcome{Kind: failover.Answered, Status: 200}
	}
	return failover.Outcome{Kind: failover.Refused}
}

func pool(settings map[schema.Path]schema.Value) *schema.Copy {
	c := &schema.Copy{Pool: "p", Engine: "pool", Complete: true, Members: []schema.Member{{Host: "a"}, {Host: "b"}}}
	for p, v := range map[schema.Path]schema.Value{
		"decision.window": schema.DurationOf(10 * s), "decision.minSamples": schema.IntOf(10), "decision.errorRatio": schema.NumberOf(0.5),
		"cooldown.duration": schema.DurationOf(30 * s), "probe.interval": schema.DurationOf(2 * s),
	} {
		c.Set(p, v, schema.At(1, 2))
	}
	for p, v := range settings {
		c.Set(p, v, schema.At(1, 2))
	}
	for _, share := range []float64{10, 50} {
		c.Batches = append(c.Batches, schema.Batch{HasShare: true, Share: share, HasDwell: true, Dwell: 15 * s, MinSamples: 5})
	}
	return c
}

// stage is a running driver with 100 requests a second.
type stage struct {
	*drive.Driver
	gateway *gateway
	mu      sync.Mutex
	ill     bool
	errs    []error
	stop    context.CancelFunc
	done    chan error
}

func start(t *testing.T, c *schema.Copy) *stage {
	e, err := controller.New(c, failover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{gateway: &gateway{t: t}, done: make(chan error, 1)}
	st.Driver = drive.New(e, st.gateway, prober{func(m string) bool { return m != "a" || !st.isIll() }}, drive.RealClock(), func(err error) { st.errs = append(st.errs, err) })
	var ctx context.Context
	ctx, st.stop = context.WithCancel(t.Context())
	go func() { st.done <- st.Run(ctx) }()
	time.Sleep(time.Millisecond)
	return st
}

func (st *stage) isIll() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.ill
}

func (st *stage) set(ill bool) {
	st.mu.Lock()
	st.ill = ill
	st.mu.Unlock()
}

// traffic sends requests for a while.
func (st *stage) traffic(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		st.gateway.mu.Lock()
		known := st.gateway.shares != nil
		st.gateway.mu.Unlock()
		if !known {
			continue
		}
		m := st.gateway.pick()
		go func() {
			var r failover.Request
			st.Sent(&r, m)
			time.Sleep(3 * time.Millisecond)
			o := failover.Outcome{Kind: failover.Answered, Status: 200, Took: 3 * time.Millisecond}
			if m == 0 && st.isIll() {
				o.Status = 500
			}
			st.Done(&r, o)
		}()
	}
}

// TestRealClock takes a member out and back through its batches, by shares that a gateway executes. synctest makes the hours
// of the real clock short.
func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := start(t, pool(map[schema.Path]schema.Value{"cooldown.exit": schema.TextOf("timer")}))
		st.traffic(20 * s)
		st.set(true)
		st.traffic(15 * s)
		if st.State(0) != failover.Cooling {
			t.Fatalf("it fails every request and is %v", st.State(0))
		}
		st.set(false)
		st.traffic(90 * s)
		if st.State(0) != failover.In {
			t.Errorf("at last it is %v", st.State(0))
		}
		st.stop()
		if err := <-st.done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		want := [][]float64{{0.5, 0.5}, {0, 1}, {0.05, 0.95}, {0.25, 0.75}, {0.5, 0.5}}
		if len(st.gateway.history) != len(want) {
			t.Fatalf("the gateway was told %v", st.gateway.history)
		}
		for i, w := range want {
			for m := range w {
				if math.Abs(st.gateway.history[i][m]-w[m]) > 1e-9 {
					t.Errorf("step %d: %v, want %v", i, st.gateway.history[i], w)
				}
			}
		}
	})
}

// TestTrials: exit by the condition of entry needs trials, for which the gateway gets a small share.
func TestTrials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := start(t, pool(nil))
		defer st.stop()
		st.traffic(20 * s)
		st.set(true)
		st.traffic(15 * s)
		st.set(false)
		st.traffic(60 * s)
		some := false
		for _, h := range st.gateway.history {
			some = some || math.Abs(h[0]-0.005) < 1e-9
		}
		if !some {
			t.Errorf("no trial share: %v", st.gateway.history)
		}
		if st.State(0) != failover.Ramping && st.State(0) != failover.In {
			t.Errorf("after its trials it is %v", st.State(0))
		}
	})
}

// TestRefused: what the gateway refuses it is told again, a second later.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := start(t, pool(nil))
		defer st.stop()
		time.Sleep(s)
		st.gateway.mu.Lock()
		st.gateway.refuse = 3
		st.gateway.mu.Unlock()
		if err := st.Force(failover.Order{Member: 0, Out: true, Initiator: "ann", Saw: "disk"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * s)
		synctest.Wait()
		if h := st.gateway.history; len(h) != 2 || h[1][0] != 0 || len(st.errs) != 3 || !errors.Is(st.errs[0], errBusy) {
			t.Errorf("told %v, errors %v", h, st.errs)
		}
		if st.gateway.calls > 6 {
			t.Errorf("%d calls", st.gateway.calls)
		}
	})
}

// TestObserve: results alone do as well.
func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := start(t, pool(nil))
		defer st.stop()
		for range 200 {
			var r failover.Request
			st.Observe(&r, 1, failover.Outcome{Kind: failover.Answered, Status: 500})
			st.Notice(-1, false)
			time.Sleep(100 * time.Millisecond)
		}
		if st.State(1) == failover.In {
			t.Error("200 failures in 20 s, and it is in")
		}
	})
}
