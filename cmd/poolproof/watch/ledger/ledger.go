// Package ledger remembers which drift there is, since when, and what was told of it, so that a restart repeats no alert
// and loses none.
//
// A drift is kept before it is told, with a mark that it is about to be, and marked as told after that. A crash between
// the two tells it again, with the same key, also where it is gone by then, and its end after it; nothing is told twice
// with different keys, since the key holds the moment that was kept first.
package ledger

import (
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
)

// Drift is one difference that lasts, or that ended and still has to be told.
type Drift struct {
	Identity string      `json:"identity"`
	Event    alert.Event `json:"event"`
	// Told: the beginning was handed to the sinks, and is safe there.
	Told bool `json:"told,omitempty"`
	// Offered: it was about to be handed to them.
	Offered bool `json:"offered,omitempty"`
	// At is the file that it stands in, Files are all that it speaks of.
	At    string   `json:"at,omitempty"`
	Files []string `json:"files,omitempty"`
	// Gone is since when it was not seen any more, while its end is not told yet; zero while it is seen.
	Gone time.Time `json:"gone,omitzero"`
	// Held: nobody could look whether it still lasts.
	Held bool `json:"-"`
	// handed: what there is to tell was handed over, though it may not be safe yet.
	handed bool
	// retired: another drift has its identity by now.
	retired bool
}

// Known reports whether the sinks were told of the beginning.
func (d *Drift) Known() bool { return d.Told || d.handed }

// Ledger is the drift of one watched tree. It is safe for concurrent use.
type Ledger struct {
	mu           sync.Mutex
	drifts       map[string]*Drift
	order        order
	journal      journal
	began, ended uint64
	// retired counts the drifts that are, mostRetired bounds them.
	retired, mostRetired int
}

// touch says that a drift is not as it stands in the file, or is no more.
func (l *Ledger) touch(d *Drift) { l.journal.changed[d.Identity] = true }

// Seen is one drift as it is now.
type Seen struct {
	Identity string
	// Event describes it; its key and times are set by the ledger.
	Event alert.Event
	// At is the file that it stands in, Files are all that it speaks of.
	At    string
	Files []string
	// Doubtful: it may only seem so, since something cannot be read. It is held, and not told before that is over.
	Doubtful bool
}

// Update compares what is kept with what is seen now. lost reports whether nobody could look for a drift, which is then
// held as it is. No drift began later than now: where the clock went back, it began now.
func (l *Ledger) Update(now time.Time, seen []Seen, lost func(*Drift) bool) {
	l.Follow(now, seen, func(*Drift) bool { return true }, lost)
}

// Follow is Update where only a part was looked at: covered reports whether a drift belongs to it. The others stay as
// they are.
func (l *Ledger) Follow(now time.Time, seen []Seen, covered, lost func(*Drift) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = now.Round(0)
	here := make(map[string]bool, len(seen))
	for i := range seen {
		s := &seen[i]
		if here[s.Identity] {
			continue
		}
		here[s.Identity] = true
		d := l.drifts[s.Identity]
		if d != nil && d.Event.Resolved() { // it comes back as a new one, though its end is not safe with the sinks yet
			l.retire(d)
			d = nil
		}
		if d == nil {
			d = &Drift{Identity: s.Identity, Event: s.Event, At: s.At, Files: s.Files, Held: s.Doubtful}
			d.Event.Since, d.Event.Ended = now, time.Time{}
			d.Event.Key = alert.Key(s.Identity, now)
			l.drifts[s.Identity] = d
			l.began++
			l.touch(d)
			l.order.place(d)
			continue
		}
		if !d.Gone.IsZero() {
			d.Gone = time.Time{}
			l.touch(d)
		}
		d.Held = s.Doubtful
		event := s.Event
		event.Key, event.Since = d.Event.Key, d.Event.Since
		if event.Got != d.Event.Got || event.Want != d.Event.Want || event.Place != d.Event.Place || event.Severity != d.Event.Severity || !slices.Equal(s.Files, d.Files) {
			l.touch(d)
			l.order.place(d)
		}
		d.Event, d.At, d.Files = event, s.At, s.Files
	}
	for id, d := range l.drifts {
		for _, t := range [...]*time.Time{&d.Event.Since, &d.Gone} {
			if t.After(now) {
				*t = now
				l.touch(d)
				l.order.place(d)
			}
		}
		if here[id] || d.Event.Resolved() || !covered(d) {
			continue
		}
		if lost != nil && lost(d) {
			d.Held = true
			continue
		}
		d.Held = false
		switch {
		case !d.Told && !d.Offered: // nobody heard of it
			l.remove(d)
			l.ended++
		case d.Gone.IsZero():
			d.Gone = now
			l.touch(d)
		}
	}
}

// maxRetired bounds the drifts that ended and came again while nothing was safe with the sinks.
const maxRetired = 10_000

// retire moves a drift that ended out of the way of one that begins. Where too many are kept, it is forgotten once it was
// handed over: a disk that is full for long must not fill the memory.
func (l *Ledger) retire(d *Drift) {
	if d.handed && l.retired >= l.mostRetired {
		l.remove(d)
		return
	}
	delete(l.drifts, d.Identity)
	l.touch(d)
	d.Identity += "\x1e" + d.Event.Key
	d.retired = true
	l.retired++
	l.drifts[d.Identity] = d
	l.touch(d)
}

func (l *Ledger) remove(d *Drift) {
	if d.retired {
		l.retired--
	}
	delete(l.drifts, d.Identity)
	l.touch(d)
	l.order.drop(d)
}

// Hold holds all drift as it is: nobody can look whether it lasts.
func (l *Ledger) Hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.drifts {
		if !d.Event.Resolved() {
			d.Held = true
		}
	}
}

// Jumped says that the clock was put forward by that much, or back where it is negative. What waits to be told waits as
// long as it would have: nothing is told sooner, nor later, because of a clock.
func (l *Ledger) Jumped(by time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.drifts {
		if !d.Told && !d.Offered {
			d.Event.Since = d.Event.Since.Add(by)
			l.touch(d)
			l.order.place(d)
		}
		if !d.Gone.IsZero() {
			d.Gone = d.Gone.Add(by)
			l.touch(d)
		}
	}
}

// Due returns what has to be told at now: drift that has lasted for some time and was not told, and drift that has been
// gone as long; the graver first, then the older. They are marked as about to be told: save the ledger before they are.
func (l *Ledger) Due(now time.Time, lasting time.Duration) []alert.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = now.Round(0)
	return eventsOf(l.sorted(func(d *Drift) bool {
		if !d.Gone.IsZero() && !d.Held && !d.Event.Resolved() && now.Sub(d.Gone) >= lasting {
			l.end(d)
		}
		switch {
		case d.handed:
			return false
		case d.Event.Resolved():
			return true
		case d.Told || !d.Offered && (d.Held || now.Sub(d.Event.Since) < lasting):
			return false
		}
		if !d.Offered {
			d.Offered = true
			l.touch(d)
		}
		return true
	}))
}

// end ends a drift that was gone for long enough.
func (l *Ledger) end(d *Drift) {
	d.Event.Ended, d.Gone, d.handed = d.Gone, time.Time{}, false
	if d.Event.Since.After(d.Event.Ended) { // the clock went back in between
		d.Event.Since = d.Event.Ended
		l.order.place(d)
	}
	l.ended++
	l.touch(d)
}

// Next is when something that lasts, or is gone, becomes due; zero if nothing waits.
func (l *Ledger) Next(lasting time.Duration) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	var next time.Time
	for _, d := range l.drifts {
		at := d.Event.Since
		switch {
		case d.Held || d.Event.Resolved():
			continue
		case !d.Gone.IsZero():
			at = d.Gone
		case d.Known():
			continue
		}
		if at = at.Add(lasting); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// Told marks events as handed over. Where they are safe, those that ended are forgotten; else they are kept, since a
// crash would lose them, until others are safe.
func (l *Ledger) Told(events []alert.Event, safe bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byKey := make(map[string]bool, len(events))
	for i := range events {
		byKey[events[i].Key] = true
	}
	for _, d := range l.drifts {
		if byKey[d.Event.Key] {
			d.handed = true
		}
		switch {
		case !safe || !d.handed:
		case d.Event.Resolved():
			l.remove(d)
		case !d.Told:
			d.Told = true
			l.touch(d)
		}
	}
}

// Unsafe reports whether something was handed over that a crash would lose.
func (l *Ledger) Unsafe() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.drifts {
		if d.handed && (!d.Told || d.Event.Resolved()) {
			return true
		}
	}
	return false
}

// Totals returns how many drifts began, and how many ended, since the ledger was opened.
func (l *Ledger) Totals() (began, ended uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.began, l.ended
}

// Active returns the drift that was told and whose end was not, in the order of Due.
func (l *Ledger) Active() []alert.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return eventsOf(l.sorted(func(d *Drift) bool { return d.Known() && !d.Event.Resolved() }))
}

// All returns all drift that lasts, told or not, in the order of Due.
func (l *Ledger) All() []Drift {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.sorted(func(d *Drift) bool { return !d.Event.Resolved() && d.Gone.IsZero() })
	list := make([]Drift, 0, len(found))
	for _, d := range found {
		list = append(list, *d)
	}
	return list
}

// sorted returns some drifts: the graver ones first, then the older ones, then those of one pool together.
func (l *Ledger) sorted(wanted func(*Drift) bool) []*Drift {
	var list []*Drift
	for _, d := range l.order.all() {
		if wanted(d) {
			list = append(list, d)
		}
	}
	return list
}

func eventsOf(list []*Drift) []alert.Event {
	var events []alert.Event
	for _, d := range list {
		events = append(events, d.Event)
	}
	return events
}
