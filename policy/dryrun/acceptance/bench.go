package acceptance

import (
	"context"
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
	ctx     context.Context   // of the case that is played
	played  map[string][]*run // by what was played; cases have beginnings in common

	window, timeout, cooldown  time.Duration
	jitter                     float64
	samples, consecutive, slow int
	ratio                      float64 // 0: no such condition
	slowOver, slowDedupe       time.Duration
	probeTime                  time.Duration // until probes have taken a member out, 0: none are sent
}

func newBench(c *schema.Copy, t cast.Traffic, seeds int) *bench {
	b := &bench{copy: c, traffic: t.Traffic, seeds: max(1, seeds), ctx: context.Background(), played: map[string][]*run{}}
	b.engine, _ = engines.Of(c)
	b.choose()
	b.settings()
	b.traffic.Tenants, b.traffic.Methods = nil, nil
	b.traffic.RPS = min(b.traffic.RPS, max(b.enough(), leastRPS))
	return b
}

// leastRPS is with how many requests a second cases are played at least, if there are as many.
const leastRPS = 20

// enough is with how many requests a second every floor is met well before the time that goes with it. More traffic proves
// nothing more and takes longer to play; with less than that there is no lowering it.
func (b *bench) enough() float64 {
	share := max(b.share, 1e-3)
	if _, parts, ok := b.dimension(); ok {
		share *= max(partOf(parts, smallest(parts)), 1e-3)
	}
	const ample = 4
	need := ample * float64(b.samples+b.consecutive) / (max(b.window.Seconds(), 1) * share)
	for i := range b.copy.Batches {
		k := &b.copy.Batches[i]
		floor, dwell := max(float64(k.MinSamples), 1), b.window
		if k.MinSamples == 0 {
			floor = float64(b.samples)
		}
		if k.HasDwell {
			dwell = max(dwell, k.Dwell)
		}
		part := 1.0
		if k.HasShare {
			part = max(k.Share/100, 1e-3)
		}
		need = max(need, 2*floor/(max(dwell.Seconds(), 1)*max(b.share, 1e-3)*part))
	}
	return need
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
	Batch(member, kind int) int
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
	batch := w.from.Batch(w.member, 0)
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
	texts := make([]string, b.seeds)
	for i := range texts {
		texts[i] = text(i)
	}
	key := fmt.Sprintf("%q %+v", texts, t)
	if runs, ok := b.played[key]; ok {
		return runs
	}
	scenarios := make([]*dryrun.Scenario, b.seeds)
	for i := range scenarios {
		if i > 0 && texts[i] == texts[i-1] {
			scenarios[i] = scenarios[i-1]
			continue
		}
		s, problems, ok := dryrun.Read("case.yaml", []byte(texts[i]))
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
	b.played[key] = runs
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
	result, err := dryrun.RunContext(b.ctx, s, dryrun.Options{Copy: b.copy, Seed: seed, Traffic: &t, Build: build})
	if err != nil {
		return nil, err
	}
	r := &run{Result: result}
	if w != nil {
		r.steps, r.orders = w.steps, w.from.Orders()
	}
	return r, nil
}
