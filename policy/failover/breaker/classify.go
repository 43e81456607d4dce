package breaker

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is how a call ended, where its status does not say it.
type Kind uint8

// The kinds of ends.
const (
	// Answered: an answer with a status came back.
	Answered Kind = iota
	// Connect: no connection could be made.
	Connect
	// Timeout: the caller's own limit for the call ran out. Somebody else's deadline is Cancel.
	Timeout
	// Reset: the connection broke before the answer was complete.
	Reset
	// Cancel: whoever wanted the answer gave the call up.
	Cancel
	// Rejected: the caller's own side refused to send it, a limiter for one.
	Rejected
	// Unknown: it failed in a way that nothing above describes, panics included.
	Unknown
	kinds
)

// Classifier says how results count towards a verdict that several callers share. By default
//
//	success    statuses 100 to 399
//	failure    statuses 500 to 599, connect, time-out, reset, unknown
//	neutral    statuses 400 to 498 (400, 401, 403, 404, 422, 429, ...), rejected by the own side
//	cancelled  cancel, status 499
//
// since a tenant's bad request, missing right or spent quota says nothing about the endpoint for the others. A Classifier
// is safe for concurrent use once it is set up.
type Classifier struct {
	status [600]Class
	kind   [kinds]Class
	hung   time.Duration
}

// NewClassifier returns a classifier with the defaults.
func NewClassifier() *Classifier {
	c := &Classifier{kind: [kinds]Class{
		Connect: Failure, Timeout: Failure, Reset: Failure, Unknown: Failure, Cancel: Cancelled, Rejected: Neutral,
	}}
	c.Statuses(Failure, 0, 99) // no valid answer
	c.Statuses(Success, 100, 399)
	c.Statuses(Neutral, 400, 498)
	c.Statuses(Cancelled, 499, 499) // a proxy's word for a client that went away
	c.Statuses(Failure, 500, 599)
	return c
}

// Statuses sets the class of all statuses from first to last, and returns the classifier.
func (c *Classifier) Statuses(class Class, first, last int) *Classifier {
	for s := max(first, 0); s <= min(last, len(c.status)-1); s++ {
		c.status[s] = class
	}
	return c
}

// Kinds sets the class of calls that ended in these ways, and returns the classifier.
func (c *Classifier) Kinds(class Class, kinds ...Kind) *Classifier {
	for _, k := range kinds {
		if k != Answered && int(k) < len(c.kind) {
			c.kind[k] = class
		}
	}
	return c
}

// HungAfter counts a cancelled call as a failure that timed out if it had waited at least that long: callers who give up
// on an answer that does not come are evidence of a hang. Zero, the default, counts none.
func (c *Classifier) HungAfter(d time.Duration) *Classifier {
	c.hung = d
	return c
}

// Counting counts exactly these results as failures: "5xx", "4xx", single statuses such as "429", "connect", "timeout",
// "reset", "cancel", "unknown". What counted as a failure and is not named becomes neutral; successes stay successes.
func (c *Classifier) Counting(results ...string) error {
	next := *c
	for s, class := range next.status {
		if class == Failure {
			next.status[s] = Neutral
		}
	}
	for k, class := range next.kind {
		if class == Failure {
			next.kind[k] = Neutral
		}
	}
	for _, r := range results {
		if err := next.count(r); err != nil {
			return err
		}
	}
	*c = next
	return nil
}

func (c *Classifier) count(result string) error {
	word := strings.ToLower(result)
	for k, name := range kindNames {
		if name == word && k != int(Answered) {
			c.kind[k] = Failure
			return nil
		}
	}
	if len(word) == 3 && word[1:] == "xx" && word[0] >= '1' && word[0] <= '5' {
		hundred := int(word[0]-'0') * 100
		c.Statuses(Failure, hundred, hundred+99)
		return nil
	}
	if s, err := strconv.Atoi(word); err == nil && s >= 100 && s < len(c.status) {
		c.status[s] = Failure
		return nil
	}
	return fmt.Errorf("result %q: want a status, a class such as 5xx, or one of %s", result, strings.Join(kindNames[1:], ", "))
}

// Result classifies a call that ended with the status (0 without one) in the given way after the given time.
func (c *Classifier) Result(status int, kind Kind, latency time.Duration) Result {
	r := Result{Latency: latency, TimedOut: kind == Timeout}
	switch {
	case kind == Answered && (status < 0 || status >= len(c.status)):
		r.Class = c.status[0]
	case kind == Answered:
		r.Class = c.status[status]
	case int(kind) < len(c.kind):
		r.Class = c.kind[kind]
	default:
		r.Class = c.kind[Unknown]
	}
	if r.Class == Cancelled && c.hung > 0 && latency >= c.hung {
		r.Class, r.TimedOut = Failure, true
	}
	return r
}

// kindNames is indexed by Kind.
var kindNames = [kinds]string{"answered", "connect", "timeout", "reset", "cancel", "rejected", "unknown"}

// String returns the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}
