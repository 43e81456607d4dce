package breaker

import (
	"sync"
	"time"
)

// Clock gives the time since an arbitrary start, never running backwards.
type Clock interface {
	Now() time.Duration
}

// RealClock is the clock of the machine, counted from start, which the program passes in once: RealClock(time.Now()).
// It is monotonic: a step of the wall clock does not move it.
func RealClock(start time.Time) Clock { return &realClock{start} }

type realClock struct{ start time.Time }

func (c *realClock) Now() time.Duration { return time.Since(c.start) }

// Random is a source of uniform numbers in [0, 1). A *rand.Rand of math/rand or math/rand/v2 is one. A breaker draws
// from it under its own lock; a source that several breakers share must be safe for concurrent use, see LockedRandom.
type Random interface {
	Float64() float64
}

// LockedRandom makes a source safe for concurrent use, so that several breakers can share it.
func LockedRandom(r Random) Random { return &lockedRandom{r: r} }

type lockedRandom struct {
	mu sync.Mutex
	r  Random
}

func (l *lockedRandom) Float64() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.r.Float64()
}
