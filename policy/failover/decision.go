package failover

import "time"

// Action is what a driver has to do with a request.
type Action uint8

// The actions.
const (
	// Send the request to the member of r.Lease and Report what comes of it.
	Send Action = iota
	// Pass the member's answer on to the client. The request is done.
	Pass
	// Answer the client with Decision.Status; 0 closes the connection without an answer. The request is done.
	Answer
	// Wait until Decision.At and Pick again.
	Wait
	// Queue: Pick again when Wake names the request, and at Decision.At at the latest.
	Queue
)

// Decision is what an engine makes of a request.
type Decision struct {
	Action Action
	// Refused: no member was asked for this answer, because the engine sees none that it may ask.
	Refused bool
	Status  uint16
	At      time.Duration
}

// Kind is how an attempt or a probe ended.
type Kind uint8

// The kinds of outcomes.
const (
	// Answered: the member sent Outcome.Status. Of a probe that only connects: the connection was made.
	Answered Kind = iota
	// Refused: the connection was refused.
	Refused
	// ConnectTimeout: there was no connection within the limit.
	ConnectTimeout
	// Timeout: the request was sent and there was no answer within the limit.
	Timeout
	// Reset: the connection was closed or reset before the answer was complete.
	Reset
	// Severed: the driver closed the connection because the engine asked for that (Transition.Sever).
	Severed
	// Cancelled: the client went away. It says nothing about the member.
	Cancelled
)

var kindNames = [...]string{"answered", "refused", "connect-timeout", "timeout", "reset", "severed", "cancelled"}

// String returns the kind's name as reports show it.
func (k Kind) String() string { return kindNames[k] }

// Outcome is what came of an attempt or a probe.
type Outcome struct {
	Kind   Kind
	Status uint16
	// Took is how long it was under way.
	Took time.Duration
}

// Probe is one health check.
type Probe struct {
	Member int32
	// Generation is the engine's; the driver hands it back.
	Generation uint32
	// Connect and Response bound the two parts, Total both together; 0 is no limit.
	Connect, Response, Total time.Duration
	// Path is what it asks for. TCP probes ask for nothing: a connection is enough.
	Path string
	TCP  bool
}
