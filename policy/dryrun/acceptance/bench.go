package acceptance

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/controller"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/schema"
)

// bench is where a case is played: the pool, its load, and what the settings say.
type bench struct {
	copy    *schema.Copy
	engine  string
	traffic dryrun.Traffic
	seeds   int
	target  int    // the member that faults hit, -1: there is none
	id      string // of it
	share   float64
	failure error

	window, timeout, cooldown  time.Duration
	jitter                     float64
	samples, consecutive, slow int
	ratio                      float64 // 0: no such condition
	slowOver, slowDedupe       time.Duration
	probeTime                  time.Duration // until probes have taken a member out, 0: none are sent
}

func newBench(c *schema.Copy, t cast.Traffic, seeds int) *bench {
	b := &bench{copy: c, traffic: t.Traffic, seeds: max(1, seeds)}
	b.engine, _ = engines.Of(c)
	b.choose()
	b.settings()
	b.traffic.Tenants, b.traffic.Methods = nil, nil
	// More traffic proves nothing more and takes longer.
	const enough = 1000
	need := 4 * float64(b.samples) / (max(b.window.Seconds(), 1) * max(b.share, 1e-3))
	b.traffic.RPS = min(b.traffic.RPS, max(enough, need))
	return b
}

// choose finds the member that faults hit: of the first tier, the one that gets most.
func (b *bench) choose() {
	b.target = -1
	best, total, weight := int64(math.MaxInt64), 0.0, 0.0
	for i := range b.copy.Members {
		if m := &b.copy.Members[i]; takes(m) {
			best = min(best, m.Priority)
		}
	}
	for i := range b.copy.Members {
		m := &b.copy.Members[i]
		if !takes(m) || m.Priority != best {
			continue
		}
		w := 1.0
		if m.HasWeight {
			w = float64(m.Weight)
		}
		total += w
		if b.target < 0 || w > weight {
			b.target, weight, b.id = i, w, m.ID()
		}
	}
	if total > 0 {
		b.share = weight / total
	}
}

func takes(m *schema.Member) bool {
	return m.IsActive() && m.Backup != schema.Yes && (!m.HasWeight || m.Weight > 0)
}

// run is one play under one seed, with what the engine keeps of it.
type run struct {
	*dryrun.Result
	steps  []step
	orders []controller.Record
}

// step is a change of where the return of the target stands.
type step struct {
	at    time.Duration
	batch int // from 1; 0: it returns no longer, or is back
}

// stepper is an engine that tells where a return stands.
type stepper interface {
	Step(member, kind int) controller.Step
	Orders() []controller.Record
}

// watcher looks at each step of a return.
type watcher struct {
	failover.Engine
	from   stepper
	member int
	warm   time.Duration
	steps  []step
}

func (w *watcher) look(now time.Duration) {
	batch := w.from.Step(w.member, 0).Batch
	if n := len(w.steps); n == 0 && batch > 0 || n > 0 && w.steps[n-1].batch != batch {
		w.steps = append(w.steps, step{now - w.warm, batch})
	}
}

func (w *watcher) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	d := w.Engine.Report(now, r, o)
	w.look(now)
	return d
}

func (w *watcher) Tick(now time.Duration) (failover.Probe, bool) {
	p, send := w.Engine.Tick(now)
	w.look(now)
	return p, send
}

func (w *watcher) Probed(now time.Duration, p failover.Probe, o failover.Outcome) {
	w.Engine.Probed(now, p, o)
	w.look(now)
}

func (w *watcher) Force(now time.Duration, o failover.Order) error {
	err := w.Engine.Force(now, o)
	w.look(now)
	return err
}

// play plays a scenario under every seed. It returns nil if it cannot be played, and keeps why.
func (b *bench) play(text string, t dryrun.Traffic) []*run {
	return b.playEach(func(int) string { return text }, t)
}

// playEach plays a scenario of its own under each seed, as what came before under that seed asks for.
func (b *bench) playEach(text func(i int) string, t dryrun.Traffic) []*run {
	if b.failure != nil {
		return nil
	}
	scenarios := make([]*dryrun.Scenario, b.seeds)
	for i := range scenarios {
		s, problems, ok := dryrun.Read("case.yaml", []byte(text(i)))
		if !ok {
			b.failure = fmt.Errorf("the case cannot be made from these settings: %s", problems[0].Text.En)
			return nil
		}
		scenarios[i] = s
	}
	runs, errs := make([]*run, b.seeds), make([]error, b.seeds)
	var wait sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range runs {
		wait.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			runs[i], errs[i] = b.once(scenarios[i], t, uint64(i)+1)
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			b.failure = err
			return nil
		}
	}
	return runs
}

func (b *bench) once(s *dryrun.Scenario, t dryrun.Traffic, seed uint64) (*run, error) {
	var w *watcher
	build := func(c *schema.Copy, o failover.Options) (failover.Engine, error) {
		e, err := engines.New(c, o)
		if err != nil {
			return nil, err
		}
		if from, ok := e.(stepper); ok {
			w = &watcher{Engine: e, from: from, member: b.target, warm: s.Warm}
			return w, nil
		}
		return e, nil
	}
	result, err := dryrun.Run(s, dryrun.Options{Copy: b.copy, Seed: seed, Traffic: &t, Build: build})
	if err != nil {
		return nil, err
	}
	r := &run{Result: result}
	if w != nil {
		r.steps, r.orders = w.steps, w.from.Orders()
	}
	return r, nil
}
