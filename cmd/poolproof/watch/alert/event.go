// Package alert tells people and programs about drift: which sinks there are, what they are sent, and that it arrives.
//
// A sink turns a batch of events into few bounded messages, whatever the number of events. Addresses of sinks are secrets,
// since most hold a token: they are read when they are used, from files outside the watched tree or from the environment,
// and stand in no queue, log or error.
package alert

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
)

// Event is the beginning or the end of one drift.
type Event struct {
	// Key names the drift and its beginning: the same in every repetition, another where the drift comes again.
	Key      string
	Rule     string
	Severity schema.Severity
	Pool     string
	Env      string
	Item     string
	Field    string
	Member   string
	Side     schema.Side
	// Place is where it was seen: "haproxy.cfg:12", or the name of a running gateway.
	Place string
	// File is the file of the place, without a line; empty for running gateways, and in what earlier versions kept.
	File      string
	Got, Want string
	Message   schema.Text
	Hint      schema.Text
	Since     time.Time
	// Ended is when it was gone; zero while it lasts.
	Ended time.Time
}

// Resolved reports whether the drift is gone.
func (e *Event) Resolved() bool { return !e.Ended.IsZero() }

// Unknown reports whether the event says that nobody knows how things are, which is neither drift nor fine.
func (e *Event) Unknown() bool { return e.Rule == "live/unknown" }

// Key returns the key of a drift of that identity which began at since.
func Key(identity string, since time.Time) string {
	sum := sha256.Sum256([]byte(identity + "\x1e" + since.UTC().Format(time.RFC3339Nano)))
	return hex.EncodeToString(sum[:16])
}

// NewEvent returns the beginning of a drift that a finding shows. identity is what stays the same while values change.
// Secrets in what the finding quotes are masked, as in reports, so that no state, queue or message holds them.
func NewEvent(f *schema.Finding, identity, place string, since time.Time) Event {
	file := f.At.File
	if f.At.Side == schema.Live {
		file = ""
	}
	return Event{
		File: file, Key: Key(identity, since), Rule: f.Rule, Severity: f.Severity, Pool: f.Pool, Env: f.Env, Item: f.Item.String(), Field: f.Field, Member: f.Member,
		Side: f.At.Side, Place: place, Got: report.Bound(f.Got), Want: report.Bound(f.Want), Message: masked(f.Message), Hint: masked(f.Hint), Since: since,
	}
}

func masked(t schema.Text) schema.Text {
	return schema.Text{En: report.BoundText(t.En), Zh: report.BoundText(t.Zh)}
}

// shown returns an event as others may see it: the names that tell drifts apart stay as they are inside, secrets or not.
func (e Event) shown() Event {
	for _, s := range [...]*string{&e.Pool, &e.Env, &e.Field, &e.Member} {
		*s = report.Bound(*s)
	}
	return e
}

// Batch is what a sink is told at once.
type Batch struct {
	Events []Event
	Now    time.Time
	// Sample marks messages that only test the way.
	Sample bool
}

// latest returns the last word on every drift, the graver and older ones first: who was not reached while a drift came
// and went is told so once.
func (b *Batch) latest() []Event {
	index := make(map[string]int, len(b.Events))
	var last []*Event
	for i := range b.Events {
		e := &b.Events[i]
		if at, ok := index[e.Key]; ok {
			last[at] = e
			continue
		}
		index[e.Key] = len(last)
		last = append(last, e)
	}
	slices.SortStableFunc(last, func(x, y *Event) int {
		return cmp.Or(order(x.Resolved(), y.Resolved()), cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.Pool, y.Pool), x.Since.Compare(y.Since))
	})
	out := make([]Event, 0, len(last))
	for _, e := range last {
		out = append(out, *e)
	}
	return out
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Counts say what a batch holds in short.
type Counts struct {
	// Firing counts the drift that lasts, Unknown what nobody can look at, which is no drift, Resolved what ended.
	Firing   int `json:"firing"`
	Unknown  int `json:"unknown"`
	Resolved int `json:"resolved"`
	// Errors, Warnings, Infos and Pools are those of the drift that lasts.
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Pools    int `json:"pools"`
}

// count counts the last words on every drift; severities and pools are those of drift that lasts.
func count(events []Event) (c Counts) {
	pools := map[string]bool{}
	for i := range events {
		e := &events[i]
		if e.Resolved() {
			c.Resolved++
			continue
		}
		if e.Unknown() {
			c.Unknown++
			continue
		}
		c.Firing++
		pools[e.Env+"\x1f"+e.Pool] = true
		switch e.Severity {
		case schema.Error:
			c.Errors++
		case schema.Warning:
			c.Warnings++
		default:
			c.Infos++
		}
	}
	c.Pools = len(pools)
	return c
}
