package threestate

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// State implements breaker.Breaker: an open breaker whose cooldown has ended reads as half-open.
func (b *Breaker) State(now time.Duration) breaker.State {
	s := breaker.State(b.word.Load() & stateBits)
	if s == breaker.Open && !b.cooling(now) {
		return breaker.HalfOpen
	}
	return s
}

// Remaining is how long an open breaker will still refuse, seen from now; zero if it does not.
func (b *Breaker) Remaining(now time.Duration) time.Duration {
	if !b.cooling(now) {
		return 0
	}
	return max(0, time.Duration(b.until.Load())-now)
}

// Counts are the results on which the next verdict builds: those in the window of a closed breaker as of its last result,
// those of the trials of a half-open one, none of an open one.
func (b *Breaker) Counts() window.Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch breaker.State(b.word.Load() & stateBits) {
	case breaker.Closed:
		return b.window.Counts()
	case breaker.HalfOpen:
		return b.trials
	case breaker.Open:
	}
	return window.Counts{}
}

// Advance does what time alone does: it moves the window and half-opens an open breaker whose cooldown has ended. Permits
// do so by themselves; Advance is for who wants to be told of a change without traffic.
func (b *Breaker) Advance(now time.Duration) {
	b.mu.Lock()
	change := b.advance(now)
	if breaker.State(b.word.Load()&stateBits) == breaker.Closed {
		b.window.Epoch(now)
	}
	b.mu.Unlock()
	b.tell(change)
}

// Open opens the breaker at now as if it had tripped. A breaker that is open and cooling keeps its cooldown.
func (b *Breaker) Open(now time.Duration) {
	b.mu.Lock()
	var change breaker.Change
	if !b.cooling(now) {
		change = b.open(now)
	}
	b.mu.Unlock()
	b.tell(change)
}

// Close closes the breaker at now, with its window empty. A closed breaker stays as it is.
func (b *Breaker) Close(now time.Duration) {
	b.mu.Lock()
	var change breaker.Change
	if breaker.State(b.word.Load()&stateBits) != breaker.Closed {
		change = b.close(now)
	}
	b.mu.Unlock()
	b.tell(change)
}

// advance half-opens an open breaker whose cooldown has ended. The caller holds the lock.
func (b *Breaker) advance(now time.Duration) breaker.Change {
	if breaker.State(b.word.Load()&stateBits) != breaker.Open || int64(now) < b.until.Load() {
		return breaker.Change{}
	}
	b.slots.Reset()
	b.trials = window.Counts{}
	return b.enter(now, breaker.HalfOpen)
}

func (b *Breaker) open(now time.Duration) breaker.Change {
	until := now + b.row.Removed(now)
	b.until.Store(int64(until))
	change := b.enter(now, breaker.Open)
	change.Until = until
	return change
}

func (b *Breaker) close(now time.Duration) breaker.Change {
	b.row.Returned(now)
	b.window.Reset(now)
	return b.enter(now, breaker.Closed)
}

// enter changes the state and raises the generation, which voids all permits. The caller holds the lock.
func (b *Breaker) enter(now time.Duration, to breaker.State) breaker.Change {
	w := b.word.Load()
	generation := w>>genShift + 1
	b.word.Store(generation<<genShift | uint64(to))
	return breaker.Change{At: now, Generation: generation, From: breaker.State(w & stateBits), To: to}
}

// setRunning notes whether failures are running. The caller holds the lock.
func (b *Breaker) setRunning(running bool) {
	w := b.word.Load()
	if next := w&^runningBit | flag(running); next != w {
		b.word.Store(next)
	}
}

func flag(running bool) uint64 {
	if running {
		return runningBit
	}
	return 0
}

// tell passes on a change, if there is one: generations of changes start at 1. The caller does not hold the lock.
func (b *Breaker) tell(c breaker.Change) {
	if b.cfg.OnChange != nil && c.Generation != 0 {
		b.cfg.OnChange(c)
	}
}
