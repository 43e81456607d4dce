// Package machine is what the emulated breakers share: a lock, a state, and changes that are told once the lock is free.
package machine

import (
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// Machine is a locked state. Its fields are read and written between Lock and Unlock only.
type Machine struct {
	mu sync.Mutex
	// State is the state as the program keeps it, until Enter changes it.
	State breaker.State
	// Until is the end of the open time, where there is one.
	Until time.Duration
	// OnChange, if not nil, is told of the changes of a locked stretch after Unlock. Set it before the first Lock.
	OnChange func(breaker.Change)

	generation uint64
	pending    []breaker.Change
}

// Lock locks the machine.
func (m *Machine) Lock() { m.mu.Lock() }

// Unlock unlocks the machine and then tells the changes.
func (m *Machine) Unlock() {
	pending := m.pending
	m.pending = nil
	m.mu.Unlock()
	for _, c := range pending {
		m.OnChange(c)
	}
}

// Enter changes the state; until counts only for Open.
func (m *Machine) Enter(at time.Duration, to breaker.State, until time.Duration) {
	from := m.State
	m.State, m.Until = to, until
	m.generation++
	if m.OnChange != nil {
		m.pending = append(m.pending, breaker.Change{At: at, Until: until, Generation: m.generation, From: from, To: to})
	}
}

// Generation counts the changes so far.
func (m *Machine) Generation() uint64 { return m.generation }
