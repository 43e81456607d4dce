package failover

import (
	"errors"
	"math"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Never is a time that does not come.
const Never = time.Duration(math.MaxInt64)

// Engine decides for the members of one pool. Members are numbered from 0, in the order of Info.Members.
//
// Every call takes the time on the driver's clock, which began at 0; it may stand still between two calls and never goes
// back.
type Engine interface {
	// Info describes the engine. It never changes.
	Info() *Info

	// Pick says what becomes of a request that comes in, or that has waited as an earlier Decision asked. Where the
	// Decision is Send, r.Lease names the member.
	Pick(now time.Duration, r *Request) Decision

	// Report gives the outcome of the attempt that r.Lease stands for, exactly once for each Send, and says what comes
	// next. Outcomes of leases from before a change of generation change no verdict.
	Report(now time.Duration, r *Request, o Outcome) Decision

	// Next is when Tick is due: Never if nothing waits for time to pass. Any call may bring it forward.
	Next() time.Duration

	// Tick does one thing that has become due and returns the probe to send, if that is what it is. While Next is not
	// after now there is more to do.
	Tick(now time.Duration) (p Probe, send bool)

	// Probed gives the outcome of a probe that Tick asked for, exactly once.
	Probed(now time.Duration, p Probe, o Outcome)

	// State is where a member stands now.
	State(member int) State

	// Force is an operator's order. It returns ErrUnsupported if the engine knows no such thing, and another error if it
	// refuses the order.
	Force(now time.Duration, o Order) error

	// Notice is a verdict from outside, about one member or, with member -1, about all. Engines without such a
	// thing ignore it.
	Notice(now time.Duration, member int, down bool)
}

// Queuer is an engine that lets requests wait for a member to have room.
type Queuer interface {
	// Wake returns the Tag of a queued request that should be picked again now, if there is one. It is asked after
	// each call that may free a place: Report, Tick, Probed and Force.
	Wake() (tag uint32, ok bool)
}

// Applier is an engine that takes new settings while it runs and keeps what it knows of the members. An engine that is
// no Applier is built anew, which is what a reload or restart does.
type Applier interface {
	// Apply returns the engine that runs with the settings of c from now on: its members are those of c, and what is known
	// of those that stay is kept. Options.Start is not read. What is under way is reported to the engine that sent it, which
	// is to be used for nothing else any more. On an error the old settings stay in force.
	Apply(now time.Duration, c *schema.Copy, o Options) (Engine, error)
}

// Errors of engines and their makers.
var (
	// ErrNotBuilt: there is no such engine. There is never a stand-in.
	ErrNotBuilt = errors.New("the engine is not built")
	// ErrUnsupported: the engine has no such thing.
	ErrUnsupported = errors.New("the engine knows no such thing")
	// ErrNoMembers: the copy has no member that is known.
	ErrNoMembers = errors.New("the pool has no known member")
)

// Info describes an engine.
type Info struct {
	// Name and Version of the program ("haproxy", "2.6"); the version is empty where nobody named one.
	Name, Version string
	// Members are the identities of the members.
	Members []string
	// Limits bound each attempt.
	Limits Limits
	// Probes: the engine sends probes.
	Probes bool
	// Assumed lists what the copy left open and the engine had to take for granted.
	Assumed []schema.Text
}

// Limits bound one attempt. 0 is no limit.
type Limits struct {
	// Connect is how long the connection may take.
	Connect time.Duration
	// Response is how long the answer may take once the request is sent.
	Response time.Duration
}

// Options are what an engine needs besides its settings.
type Options struct {
	// Seed makes the engine's random choices. Equal seeds make equal choices.
	Seed uint64
	// Start is when it starts, on the driver's clock; all times that the engine hears and says are on that clock.
	Start time.Duration
	// Phase is how far into a second of the wall clock the driver's clock began; engines that count whole seconds go by
	// it.
	Phase time.Duration
	// Interfaces, Regions and Tenants are the names behind the numbers of requests; empty: there is one kind.
	Interfaces, Regions, Tenants []string
	// Notify, if set, is called at each change of a member's state, from within the call that brings it about. It must
	// not call the engine.
	Notify func(Transition)
}

// Order is what an operator does to a member.
type Order struct {
	Member int
	// Out takes the member out of the pool; otherwise it is put back.
	Out bool
	// Who asked, the signals that were seen, what ends it, and after how long it is looked at again (0: not said).
	Initiator, Saw, Reclaim string
	Review                  time.Duration
}
