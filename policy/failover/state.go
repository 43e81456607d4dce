package failover

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// State is where a member stands.
type State uint8

// The states. A backup that is up is In, although it gets nothing.
const (
	In State = iota
	// Out of the pool, by a verdict that only a better one ends.
	Out
	// Cooling: out until a time has passed.
	Cooling
	// Ramping: back with less than its share.
	Ramping
	// Manual: taken out by a person.
	Manual
)

var stateNames = [...]string{"in", "out", "cooling", "ramping", "manual"}

// String returns the name that scenarios use.
func (s State) String() string { return stateNames[s] }

// ParseState returns the state of that name.
func ParseState(name string) (State, bool) {
	for i, n := range stateNames {
		if n == name {
			return State(i), true
		}
	}
	return In, false
}

// Gone reports whether a member in this state gets no traffic: out, cooling or manual.
func (s State) Gone() bool { return s == Out || s == Cooling || s == Manual }

// Transition is a change of a member's state. With From and To alike it is something else worth telling: of a member, or,
// with member -1, of the pool as a whole (all members out for too long, a fault of what several share).
type Transition struct {
	At     time.Duration
	Member int
	// Scope is what the change is limited to, by name: an interface, a region. Empty: all traffic of the member.
	Scope    string
	From, To State
	// Why says what brought it about.
	Why schema.Text
	// Sever: the engine closes the connections to the member. The driver reports them as Severed.
	Sever bool
}
