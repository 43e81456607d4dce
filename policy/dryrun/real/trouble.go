//go:build linux

package real

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// trouble is a fault that is going on. The members that it hits share it.
type trouble struct {
	*dryrun.Fault
	length time.Duration

	mu   sync.Mutex
	left int       // requests that it still hits, -1: no bound
	ebbs time.Time // since when it hits fewer and fewer
}

func newTrouble(e *dryrun.Event) *trouble {
	t := &trouble{Fault: e.Fault, length: e.For, left: -1}
	if e.Requests > 0 {
		t.left = e.Requests
	}
	return t
}

// refuses reports whether the fault keeps connections from being made.
func (t *trouble) refuses() bool {
	return t.Down == dryrun.DownRefuse || t.Down == dryrun.DownRefuseNew || t.Down == dryrun.DownDrop
}

// hits reports whether the fault hits a request, which then counts.
func (t *trouble) hits(path string, isProbe bool) bool {
	if isProbe && t.BusinessOnly || !isProbe && t.ProbesOnly || len(t.Interfaces) > 0 && !slices.Contains(t.Interfaces, path) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ebbs.IsZero() && rand.Float64() < float64(time.Since(t.ebbs))/float64(t.length) {
		return false
	}
	if t.left == 0 {
		return false
	}
	if t.left > 0 && !isProbe {
		t.left--
	}
	return true
}

// ebb lets the fault end gradually.
func (t *trouble) ebb() {
	t.mu.Lock()
	t.ebbs = time.Now()
	t.mu.Unlock()
}
