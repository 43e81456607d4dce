package schema

import "strconv"

// Origin says how a member came into the list. Anything but Static stands for members that are not written here, so
// the list that holds it is not complete.
type Origin uint8

// The origins.
const (
	Static Origin = iota
	FromDNS
	FromSRV
	FromEDS
	FromTemplate
)

var originNames = [...]string{"static", "dns", "srv", "eds", "template"}

// String returns the name that native files use.
func (o Origin) String() string { return originNames[o] }

// ParseOrigin returns the origin of that name.
func ParseOrigin(name string) (Origin, bool) {
	for o := Static; o <= FromTemplate; o++ {
		if originNames[o] == name {
			return o, true
		}
	}
	return Static, false
}

// State says whether a member takes traffic by configuration. A drained or disabled member is a member all the same.
type State uint8

// The states. StateUnsaid is "not written", which engines read as active.
const (
	StateUnsaid State = iota
	Active
	Drain
	Disabled
)

var stateNames = [...]string{"", "active", "drain", "disabled"}

// String returns the name that native files use.
func (s State) String() string { return stateNames[s] }

// ParseState returns the state of that name.
func ParseState(name string) (State, bool) {
	for i := Active; i <= Disabled; i++ {
		if stateNames[i] == name {
			return i, true
		}
	}
	return StateUnsaid, false
}

// Tri is a flag that may be unsaid. The zero value is "not said".
type Tri uint8

// The values of a Tri.
const (
	Unsaid Tri = iota
	No
	Yes
)

// TriOf returns Yes or No.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// Member is one address, socket or model deployment of a pool. Optional numbers are valid only where their span or
// their Has flag says so.
type Member struct {
	Host string // normal form; empty for sockets and models
	Port uint16 // 0: PortText says why, or none is written
	// PortText is "client" or "+N"/"-N" for HAProxy's relative ports.
	PortText string
	// PortImplied marks a port that the scheme or engine filled in.
	PortImplied bool
	Socket      string
	Provider    string
	Model       string

	Origin      Origin
	State       State
	Backup      Tri
	HasWeight   bool
	HasPriority bool
	Weight      int64
	// Priority is the tier as written, turned so that smaller is preferred.
	Priority int64

	// At covers the whole entry, the others the value they are named after.
	At, HostAt, PortAt, WeightAt, PriorityAt, BackupAt, StateAt Span

	// Extra holds everything else that the entry writes: region, zone, interfaces, maxConnections, shares, contextWindow,
	// features, verified.*, and names of the format ("name", "check.port", "source").
	Extra []Field
}

// ID returns the member's identity: address and port, socket, or provider/model, and nothing that can be tuned.
func (m *Member) ID() string {
	switch {
	case m.Socket != "":
		return "unix:" + m.Socket
	case m.Host == "" && (m.Model != "" || m.Provider != ""):
		return m.Provider + "/" + m.Model
	}
	return JoinEndpoint(m.Host, m.PortString())
}

// PortString returns the port as text: the number, "client", "+N", or nothing.
func (m *Member) PortString() string {
	if m.Port != 0 {
		return strconv.Itoa(int(m.Port))
	}
	return m.PortText
}

// IsActive reports whether the member takes new traffic by configuration: neither disabled nor drained.
func (m *Member) IsActive() bool { return m.State == StateUnsaid || m.State == Active }

// Get returns an extra value by name.
func (m *Member) Get(name Path) (Field, bool) { return find(m.Extra, name) }
