// Package files watches the files and folders that a manifest names, and the manifest itself, and yields what changed: at
// once together what is saved together, soon also while saving does not end.
//
// What is yielded are paths as the tree names them, of files that the manifest wants: also those that are reached through
// links, that came or went with their folder, that were there before their folder could be watched. Where the system
// allows no more watching, the folders are looked at again and again instead.
package files

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options say what is watched, and how.
type Options struct {
	// Root is the watched folder.
	Root string
	// Manifests are the files, absolute, that are or could become the manifest.
	Manifests []string
	Patterns  *Patterns
	// Debounce is how long nothing must change before a change is yielded; zero is 200 ms.
	Debounce time.Duration
	// Most is how long a change is held back at most; zero is a second.
	Most time.Duration
	// Poll is how often the folders are looked at where they cannot be watched; zero is two seconds. It is at least twenty
	// times as long as a look takes.
	Poll time.Duration
	// Add replaces the way in which a folder is watched, for tests; nil is the watcher's own.
	Add func(w *fsnotify.Watcher, dir string) error
}

// Change is what changed since the last one.
type Change struct {
	// Paths are files that the manifest wants, or wanted, and that may have come, changed or gone.
	Paths map[string]bool
	// Manifest: one of the manifests may have changed.
	Manifest bool
	// All: anything may have changed, since events were lost.
	All bool
	// Root: another folder stands in the place of the root, or none.
	Root bool
}

func (c *Change) empty() bool { return len(c.Paths) == 0 && !c.Manifest && !c.All && !c.Root }

// Merge adds what changed later.
func (c *Change) Merge(later Change) {
	if c.Paths == nil {
		c.Paths = map[string]bool{}
	}
	maps.Copy(c.Paths, later.Paths)
	c.Manifest, c.All, c.Root = c.Manifest || later.Manifest, c.All || later.All, c.Root || later.Root
}

// State says how the watching goes.
type State struct {
	Folders int
	// Polling: the folders are looked at again and again, since the system refuses to watch them. Why is what it said.
	Polling bool
	Why     string
	// Overflows counts how often events were lost.
	Overflows int
}

// Watcher watches one root.
type Watcher struct {
	o       Options
	changes chan Change
	orders  chan func()
	state   atomic.Pointer[State]

	// What follows belongs to the goroutine that runs.
	notify    *fsnotify.Watcher
	watching  bool // the first look is over: what is found is a change
	also      map[string]bool
	current   *place
	root      os.FileInfo // nil where there is none
	polling   error
	overflows int
	stamps    map[string]stamp
	nextPoll  time.Time
	pending   Change
	first     time.Time
	last      time.Time
}

// New begins to watch. Changes are yielded while Run runs; none is lost between the two.
func New(o Options) (*Watcher, error) {
	if o.Debounce <= 0 {
		o.Debounce = 200 * time.Millisecond
	}
	if o.Most <= 0 {
		o.Most = time.Second
	}
	if o.Poll <= 0 {
		o.Poll = 2 * time.Second
	}
	if o.Patterns == nil {
		o.Patterns = NewPatterns(nil)
	}
	if o.Add == nil {
		o.Add = (*fsnotify.Watcher).Add
	}
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", o.Root, err)
	}
	o.Root = root
	w := &Watcher{o: o, changes: make(chan Change), orders: make(chan func())}
	w.begin()
	w.watching = true
	return w, nil
}

// Changes yields what changed.
func (w *Watcher) Changes() <-chan Change { return w.changes }

// State returns how the watching goes.
func (w *Watcher) State() State { return *w.state.Load() }

// Set replaces what is watched, as far as a field is given: the patterns, and further files that are wanted though no
// pattern names them.
func (w *Watcher) Set(ctx context.Context, p *Patterns, also map[string]bool) {
	w.order(ctx, func() {
		w.also = also
		if p != nil {
			w.o.Patterns = p
			w.begin()
		}
	})
}

// Again looks at all folders again, watches what it missed, and tries to watch where that was refused before.
func (w *Watcher) Again(ctx context.Context) { w.order(ctx, w.begin) }

// order has something done by the goroutine that runs.
func (w *Watcher) order(ctx context.Context, f func()) {
	done := make(chan struct{})
	select {
	case w.orders <- func() { f(); close(done) }:
		<-done
	case <-ctx.Done():
	}
}

// rootEvery is how often it is checked that the root is still the same folder.
const rootEvery = time.Second

// Run watches until the context ends, and frees everything.
func (w *Watcher) Run(ctx context.Context) {
	tick := time.NewTicker(min(rootEvery, w.o.Poll))
	defer tick.Stop()
	defer w.stop()
	for {
		var out chan Change
		var wait <-chan time.Time
		if !w.pending.empty() {
			due := w.last.Add(w.o.Debounce)
			if most := w.first.Add(w.o.Most); most.Before(due) {
				due = most
			}
			if left := time.Until(due); left > 0 {
				wait = time.After(left)
			} else {
				out = w.changes
			}
		}
		var events chan fsnotify.Event
		var failures chan error
		if w.notify != nil {
			events, failures = w.notify.Events, w.notify.Errors
		}
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			w.event(e)
		case err := <-failures:
			w.failed(err)
		case f := <-w.orders:
			f()
		case <-tick.C:
			w.tick()
		case out <- w.pending:
			w.pending = Change{}
		case <-wait:
		}
	}
}

// note notes a change that is yielded later.
func (w *Watcher) note(c Change) {
	if !w.watching || c.empty() {
		return
	}
	w.last = time.Now()
	if w.pending.empty() {
		w.first = w.last
	}
	w.pending.Merge(c)
}

func (w *Watcher) path(p string) {
	if w.watching {
		w.note(Change{Paths: map[string]bool{p: true}})
	}
}

// named returns the wanted files of a place, with their paths.
func (p *place) named() map[string]bool {
	names := map[string]bool{}
	if p != nil {
		for dir, f := range p.folders {
			for _, name := range f.files {
				names[path.Join(dir, name)] = true
			}
		}
	}
	return names
}

func (w *Watcher) failed(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.overflows++
		w.begin()
		w.note(Change{All: true})
	}
}

// refused reports whether the system watches no more, which is no fault of the folder.
func refused(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ENOSYS)
}

// begin looks at everything and watches it; what is not as it was is a change.
func (w *Watcher) begin() {
	w.polling = nil
	if w.notify == nil {
		n, err := fsnotify.NewBufferedWatcher(1024)
		if err != nil {
			w.poll(err)
			return
		}
		w.notify = n
	}
	w.root, _ = os.Stat(w.o.Root)
	before, watching := w.current, w.watching
	w.current, w.watching = newPlace(w), false
	err := w.current.all()
	w.watching = watching
	if err != nil {
		w.poll(err)
		w.note(Change{All: true})
		return
	}
	if before != nil {
		for dir := range before.watched {
			if !w.current.watched[dir] {
				_ = w.notify.Remove(dir)
			}
		}
		w.compare(before.named(), w.current.named())
	}
	if w.stamps != nil { // what changed since the last poll
		w.look()
		w.stamps = nil
	}
	w.publish()
}

// compare notes what stands in one list only.
func (w *Watcher) compare(before, now map[string]bool) {
	for name := range before {
		if !now[name] {
			w.path(name)
		}
	}
	for name := range now {
		if !before[name] {
			w.path(name)
		}
	}
}

// poll looks at the folders again and again from now on.
func (w *Watcher) poll(why error) {
	w.stop()
	w.polling = why
	w.root, _ = os.Stat(w.o.Root)
	w.look()
	w.publish()
}

func (w *Watcher) stop() {
	if w.notify != nil {
		_ = w.notify.Close()
		w.notify = nil
	}
	w.current = nil
}

func (w *Watcher) publish() {
	if s := w.state.Load(); s != nil && w.current != nil && !s.Polling && s.Folders == len(w.current.watched) && s.Overflows == w.overflows {
		return
	}
	s := &State{Overflows: w.overflows, Polling: w.polling != nil}
	if s.Polling {
		s.Why = w.polling.Error()
	}
	if w.current != nil {
		s.Folders = len(w.current.watched)
	}
	w.state.Store(s)
}

// tick checks what no event tells.
func (w *Watcher) tick() {
	now, err := os.Stat(w.o.Root)
	if gone := err != nil; gone != (w.root == nil) || !gone && !os.SameFile(now, w.root) {
		w.stop() // folders that were moved away are watched under their old names
		w.begin()
		w.note(Change{All: true, Root: true, Manifest: true})
	}
	if w.polling != nil && !time.Now().Before(w.nextPoll) {
		w.look()
	}
}
