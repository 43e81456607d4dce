// Package ledger remembers which drift there is, since when, and what was told of it, so that a restart repeats no alert
// and loses none.
//
// A drift is kept before it is told, with a mark that it is about to be, and marked as told after that. A crash between
// the two tells it again, with the same key, also where it is gone by then, and its end after it; nothing is told twice
// with different keys, since the key holds the moment that was kept first.
package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	// Files are all files that it speaks of.
	Files []string `json:"files,omitempty"`
	// Held: nobody could look whether it still lasts.
	Held bool `json:"-"`
	// handed: what there is to tell was handed over, though it may not be safe yet.
	handed bool
}

// Known reports whether the sinks were told of the beginning.
func (d *Drift) Known() bool { return d.Told || d.handed }

// Ledger is the drift of one watched tree. It is not safe for concurrent use.
type Ledger struct {
	file   string
	drifts map[string]*Drift
	dirty  bool
}

// state is the file's form.
type state struct {
	Version int      `json:"version"`
	Drifts  []*Drift `json:"drifts"`
}

const version = 1

// temporary is the pattern of files that are being written.
const temporary = ".state-*"

// maxFile bounds the state file in bytes.
const maxFile = 256 << 20

// Open reads the ledger in a file; an empty name keeps it in memory. It is usable also where there is an error: a state
// that cannot be read is put aside (file.damaged) and the ledger starts empty.
func Open(file string) (*Ledger, error) {
	l := &Ledger{file: file, drifts: map[string]*Drift{}}
	if file == "" {
		return l, nil
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), temporary)); err == nil {
		for _, name := range left { // of runs that were killed
			_ = os.Remove(name)
		}
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		return l, fmt.Errorf("reading the state: %w", err)
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return l, fmt.Errorf("reading the state: %s is no state file", file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return l, fmt.Errorf("reading the state: %w", err)
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil || s.Version != version {
		aside := file + ".damaged"
		if moved := os.Rename(file, aside); moved != nil {
			return l, fmt.Errorf("the state %s cannot be read, and not be put aside: %w", file, moved)
		}
		return l, fmt.Errorf("the state %s could not be read; it is %s now, and drift that lasts is told again", file, aside)
	}
	for _, d := range s.Drifts {
		if d != nil && d.Identity != "" {
			l.drifts[d.Identity] = d
		}
	}
	return l, nil
}

// Seen is one drift as it is now.
type Seen struct {
	Identity string
	// Event describes it; its key and times are set by the ledger.
	Event alert.Event
	// Files are all files that it speaks of.
	Files []string
}

// Update compares what is kept with what is seen now. lost reports whether nobody could look for a drift, which is then
// held as it is. It returns how many began and ended. No drift began later than now: where the clock went back, it
// began now.
func (l *Ledger) Update(now time.Time, seen []Seen, lost func(*Drift) bool) (began, ended int) {
	here := make(map[string]bool, len(seen))
	for i := range seen {
		s := &seen[i]
		if here[s.Identity] {
			continue
		}
		here[s.Identity] = true
		d := l.drifts[s.Identity]
		if d != nil && d.Event.Resolved() {
			continue // it comes back as a new one after its end was told
		}
		if d == nil {
			d = &Drift{Identity: s.Identity, Event: s.Event, Files: s.Files}
			d.Event.Since, d.Event.Ended = now, time.Time{}
			d.Event.Key = alert.Key(s.Identity, now)
			l.drifts[s.Identity] = d
			began++
			l.dirty = true
			continue
		}
		d.Held = false
		event := s.Event
		event.Key, event.Since = d.Event.Key, d.Event.Since
		if event.Got != d.Event.Got || event.Want != d.Event.Want || event.Place != d.Event.Place || event.Severity != d.Event.Severity || !slices.Equal(s.Files, d.Files) {
			l.dirty = true
		}
		d.Event, d.Files = event, s.Files
	}
	for id, d := range l.drifts {
		if d.Event.Since.Round(0).After(now.Round(0)) {
			d.Event.Since = now
			l.dirty = true
		}
		if here[id] || d.Event.Resolved() {
			continue
		}
		if lost != nil && lost(d) {
			d.Held = true
			continue
		}
		l.dirty = true
		if !d.Told && !d.Offered {
			delete(l.drifts, id) // nobody heard of it
			continue
		}
		d.Held, d.handed = false, false
		d.Event.Ended = now
		ended++
	}
	return began, ended
}

// Due returns what has to be told at now: drift that has lasted for some time and was not told, and drift that ended. The
// events are in order of their keys. They are marked as about to be told: save the ledger before they are.
func (l *Ledger) Due(now time.Time, lasting time.Duration) []alert.Event {
	var due []alert.Event
	for _, d := range l.drifts {
		switch {
		case d.handed:
		case d.Event.Resolved():
			due = append(due, d.Event)
		case !d.Told && (d.Offered || !d.Held && now.Sub(d.Event.Since) >= lasting):
			if !d.Offered {
				d.Offered, l.dirty = true, true
			}
			due = append(due, d.Event)
		}
	}
	sortEvents(due)
	return due
}

// Next is when something that lasts becomes due; zero if nothing waits.
func (l *Ledger) Next(lasting time.Duration) time.Time {
	var next time.Time
	for _, d := range l.drifts {
		if at := d.Event.Since.Add(lasting); !d.Known() && !d.Held && !d.Event.Resolved() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// Told marks events as handed over. Where they are safe, those that ended are forgotten; else they are kept, since a
// crash would lose them, until others are safe.
func (l *Ledger) Told(events []alert.Event, safe bool) {
	byKey := make(map[string]bool, len(events))
	for i := range events {
		byKey[events[i].Key] = true
	}
	for id, d := range l.drifts {
		if byKey[d.Event.Key] {
			d.handed = true
		}
		switch {
		case !safe || !d.handed:
		case d.Event.Resolved():
			delete(l.drifts, id)
			l.dirty = true
		case !d.Told:
			d.Told = true
			l.dirty = true
		}
	}
}

// Active returns the drift that lasts and was told, in order of keys.
func (l *Ledger) Active() []alert.Event {
	var list []alert.Event
	for _, d := range l.drifts {
		if d.Known() && !d.Event.Resolved() {
			list = append(list, d.Event)
		}
	}
	sortEvents(list)
	return list
}

// All returns all drift that lasts, told or not, in order of keys.
func (l *Ledger) All() []Drift {
	var list []Drift
	for _, d := range l.drifts {
		if !d.Event.Resolved() {
			list = append(list, *d)
		}
	}
	slices.SortFunc(list, func(a, b Drift) int { return strings.Compare(a.Event.Key, b.Event.Key) })
	return list
}

func sortEvents(list []alert.Event) {
	slices.SortFunc(list, func(a, b alert.Event) int { return strings.Compare(a.Key, b.Key) })
}

// Save writes the state if it changed, as a whole: a crash leaves the old one or the new one. The ledger keeps working
// where it cannot be written, and tries again at the next call.
func (l *Ledger) Save() error {
	if !l.dirty || l.file == "" {
		return nil
	}
	s := state{Version: version, Drifts: make([]*Drift, 0, len(l.drifts))}
	for _, d := range l.drifts {
		s.Drifts = append(s.Drifts, d)
	}
	slices.SortFunc(s.Drifts, func(a, b *Drift) int { return strings.Compare(a.Identity, b.Identity) })
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing the state: %w", err)
	}
	if err := replace(l.file, data); err != nil {
		return fmt.Errorf("writing the state: %w", err)
	}
	l.dirty = false
	return nil
}

// replace puts a file in place of another at once, and makes sure that it is on disk.
func replace(file string, data []byte) (err error) {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil // it is in place; only the folder cannot be synced
	}
	defer d.Close()
	return d.Sync()
}
