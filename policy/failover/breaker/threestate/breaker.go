// Package threestate is the circuit breaker with three states: closed, open, half-open.
//
// Closed, it judges the results of calls by a rule on a window and opens when the rule trips. Open, it refuses until its
// cooldown ends. Then it is half-open: a bounded number of trials passes, whose results close it or open it again.
//
// Each permit carries the generation of the breaker, which every change of state raises. A result of an older generation
// changes nothing: a late success from before the trip does not close the breaker, a late failure does not open it again.
// A trial that never returns frees its slot when its lease ends; a cancelled one frees it at once and counts for nothing.
//
// Permits of a closed breaker are one atomic load. With failures in a row as the only rule, so are results of good calls.
package threestate

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// The word holds the state in two bits, whether failures are running in one, and the generation in the rest. It is written
// under the lock only, so one load of it is a consistent view.
const (
	stateBits  = 0b011
	runningBit = 0b100
	genShift   = 3
)

// Breaker is a three-state breaker. Make it with New.
type Breaker struct {
	word atomic.Uint64
	// until is the end of the cooldown. It is written before the word says open.
	until atomic.Int64
	// load: a good result of a clean closed breaker changes nothing, so it needs no lock.
	load bool
	cfg  Config

	_  [64]byte // keeps the lock off the cache line that permits read
	mu sync.Mutex
	// window counts the results of the closed state, trials those of the half-open one.
	window window.Window
	trials window.Counts
	slots  *trial.Slots
	row    cooldown.Row
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed breaker, or says what is wrong with its description.
func New(cfg Config) (*Breaker, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := &Breaker{
		cfg:    cfg,
		window: cfg.Window.New(),
		slots:  trial.New(cfg.Trials.Slots, cfg.Trials.Lease, cfg.Trials.Total),
		row:    cooldown.NewRow(cfg.Cooldown, cfg.Random),
	}
	_, consecutive := cfg.Trip.(verdict.Consecutive)
	b.load = consecutive && cfg.Window.IsSince() && cfg.SlowAfter == 0
	return b, nil
}

// Permit implements breaker.Breaker.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	if w := b.word.Load(); w&stateBits == uint64(breaker.Closed) && !b.cfg.CreditAdmission {
		return breaker.Permit{Generation: w >> genShift}, nil
	}
	return b.permit(now)
}

func (b *Breaker) permit(now time.Duration) (breaker.Permit, error) {
	if b.cooling(now) {
		return breaker.Permit{}, breaker.ErrOpen
	}
	b.mu.Lock()
	change := b.advance(now)
	w := b.word.Load()
	p, err := breaker.Permit{Generation: w >> genShift}, error(nil)
	switch breaker.State(w & stateBits) {
	case breaker.Closed:
		p.Turn = b.window.Epoch(now)
	case breaker.Open:
		err = breaker.ErrOpen
	case breaker.HalfOpen:
		var ok bool
		if p.Slot, p.Turn, ok = b.slots.Take(now); !ok {
			err = breaker.ErrBusy
		}
	}
	b.mu.Unlock()
	b.tell(change)
	if err != nil {
		return breaker.Permit{}, err
	}
	return p, nil
}

// cooling reports whether the breaker is open and stays so at now. The end may already belong to a later opening than the
// word: then the breaker is open all the same.
func (b *Breaker) cooling(now time.Duration) bool {
	return b.word.Load()&stateBits == uint64(breaker.Open) && int64(now) < b.until.Load()
}

// Report implements breaker.Breaker.
func (b *Breaker) Report(now time.Duration, p breaker.Permit, r breaker.Result) {
	w := b.word.Load()
	if w>>genShift != p.Generation {
		return // a result of an older generation changes nothing
	}
	if b.load && r.Class == breaker.Success && w&(stateBits|runningBit) == uint64(breaker.Closed) {
		return
	}
	b.report(now, p, r)
}

func (b *Breaker) report(now time.Duration, p breaker.Permit, r breaker.Result) {
	var change breaker.Change
	b.mu.Lock()
	if w := b.word.Load(); w>>genShift == p.Generation {
		switch breaker.State(w & stateBits) {
		case breaker.Closed:
			change = b.judge(now, p, r)
		case breaker.HalfOpen:
			change = b.judgeTrial(now, p, r)
		case breaker.Open: // permits are not given in this state
		}
	}
	b.mu.Unlock()
	b.tell(change)
}

// judge counts a result of the closed state.
func (b *Breaker) judge(now time.Duration, p breaker.Permit, r breaker.Result) breaker.Change {
	if !r.Class.Counted() {
		return breaker.Change{}
	}
	failed := r.Class == breaker.Failure
	epoch := b.window.Epoch(now)
	if b.cfg.CreditAdmission {
		epoch = p.Turn
	}
	if !b.window.Add(epoch, window.Sample{Failed: failed, Slow: r.Slow(b.cfg.SlowAfter)}) {
		return breaker.Change{}
	}
	counts := b.window.Counts()
	if b.cfg.Trip.Trips(counts, failed) {
		return b.open(now)
	}
	b.setRunning(counts.Run > 0)
	return breaker.Change{}
}

// judgeTrial counts a result of the half-open state.
func (b *Breaker) judgeTrial(now time.Duration, p breaker.Permit, r breaker.Result) breaker.Change {
	if !r.Class.Counted() {
		b.slots.Cancel(p.Slot, p.Turn)
		return breaker.Change{}
	}
	if !b.slots.Return(now, p.Slot, p.Turn) {
		return breaker.Change{} // reported twice, or after its lease
	}
	slow := r.Slow(b.cfg.SlowAfter)
	b.trials.Add(window.Sample{Failed: r.Class == breaker.Failure || slow, Slow: slow})
	switch b.cfg.Trials.Ending.Decide(b.trials) {
	case verdict.Well:
		return b.close(now)
	case verdict.Ill:
		return b.open(now)
	case verdict.Undecided:
	}
	return breaker.Change{}
}
