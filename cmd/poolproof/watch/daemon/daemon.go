// Package daemon is the loop of a watch: it looks at what changed, asks running gateways, remembers drift and tells of it.
//
// One goroutine decides. Looks at everything run beside it, on a scanner of their own that takes the place of the old one
// when it is done, so that a saved file is judged at once meanwhile. Gateways are asked by goroutines of their own, so that
// a slow one holds back nothing.
//
// What cannot be known is kept: drift of a file that cannot be read, of a gateway that does not answer, of a tree that
// cannot be looked at is held, neither ended nor told again.
//
// What goes wrong with the watching itself ends nothing: a disk without room, folders that the system refuses to watch, a
// receiver that is down, a defect. It is logged, stands in the snapshot as long as it lasts, and mends itself once it can.
package daemon

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/ledger"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/scan"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// Subject is what is watched: a tree and the manifest that says how.
type Subject struct {
	Root string // absolute
	Tree tree.Tree
	// Manifest, and its text and what is wrong with it.
	Manifest *schema.Manifest
	Text     []byte
	Problems []schema.Problem
	// Manifests are the files, absolute, that are or could become the manifest.
	Manifests []string
	Load      load.Options
	Close     func()
}

// BadManifest is why a subject cannot be opened although its root is there.
type BadManifest struct {
	File     string
	Text     []byte
	Problems []schema.Problem
	Err      error
	// Gone: there is no manifest any more.
	Gone bool
}

// Error says what is wrong.
func (b *BadManifest) Error() string { return b.Err.Error() }

// Unwrap returns the cause.
func (b *BadManifest) Unwrap() error { return b.Err }

// Options are what a daemon needs.
type Options struct {
	// Open opens what is watched, at the start and whenever the manifest or the root changes. *BadManifest keeps the old one.
	Open  func(ctx context.Context) (*Subject, error)
	Rules []rules.Rule
	Kinds []live.Kind
	Env   func(name string) (string, bool)
	// State is the folder of what survives a restart; empty: nothing does.
	State string
	// AlertOn is the lightest severity that is drift.
	AlertOn schema.Severity
	// Every is how often everything is looked at, Settle how long after the last change that is done besides, Poll how often
	// a gateway is asked whose entry does not say it. Zero: five minutes, three seconds, thirty seconds.
	Every, Settle, Poll time.Duration
	Debounce            time.Duration
	// Pools, RuleNames and Environment limit what is judged.
	Pools, RuleNames []string
	Environment      string
	Lang, Version    string
	Client           *http.Client
	Stdout           io.Writer
	Now              func() time.Time
	// Log is told what an operator should know. It is called from several goroutines.
	Log func(text schema.Text)
	// Again, which may be nil, asks to read the manifest and what it names again, to ask all gateways at once, and to look
	// at everything (SIGHUP).
	Again <-chan struct{}
	// Files replaces options of the watcher, for tests.
	Files files.Options
	// Watch makes the watcher; nil is files.New. Tests that play with time give one that does not look at real files.
	Watch func(files.Options) (Watcher, error)
	// Disk is what the state is written to; nil is that of the machine.
	Disk disk.Disk
}

// Watcher yields what changed in the tree.
type Watcher interface {
	Run(ctx context.Context)
	Changes() <-chan files.Change
	State() files.State
	Set(ctx context.Context, p *files.Patterns, also map[string]bool)
	Again(ctx context.Context)
}

// Daemon watches one tree.
type Daemon struct {
	o       Options
	started time.Time
	shot    atomic.Pointer[status.Snapshot]

	// What follows belongs to the goroutine that decides.
	subject  *Subject
	scanner  *scan.Scanner // nil before the first look
	followed *scan.Scanner // whose findings the ledger knows, but for what it judged again since
	watcher  Watcher
	clock    clock
	ledger   *ledger.Ledger
	sinks    *sinks
	gateways *gateways
	bad      *BadManifest // the manifest as it is now, while an older one is in use
	anew     bool         // sinks and gateways are opened again, since files that they name may have changed
	full     fullLook
	live     []schema.Finding
	stale    bool // live has to be judged again
	// settle is when everything is looked at besides, since something changed, next when it is whatever changed; both on
	// the clock of the process.
	settle, next time.Time
	errors       map[string]status.Error
	scanned      status.Scan
	totals       status.Totals
}

// New opens what is watched and the state. The error is final: there is nothing to watch, or somebody else uses the state.
func New(ctx context.Context, o Options) (*Daemon, error) {
	if o.Every <= 0 {
		o.Every = 5 * time.Minute
	}
	if o.Settle <= 0 {
		o.Settle = 3 * time.Second
	}
	if o.Poll <= 0 {
		o.Poll = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = func(schema.Text) {}
	}
	if o.Disk == nil {
		o.Disk = disk.Real()
	}
	if o.Watch == nil {
		o.Watch = func(fo files.Options) (Watcher, error) { return files.New(fo) }
	}
	d := &Daemon{o: o, started: o.Now(), clock: newClock(o.Now), errors: map[string]status.Error{}}
	s, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	d.subject = s
	if d.ledger, err = ledger.Open(stateFile(o.State), o.Disk); err != nil {
		o.Log(textOf(err))
	}
	if d.sinks, err = d.openSinks(s); err != nil {
		s.Close()
		return nil, err
	}
	if d.gateways, err = d.openGateways(s); err != nil {
		s.Close()
		d.sinks.close()
		return nil, err
	}
	return d, nil
}

// Snapshot returns the state after the last cycle. It is safe for concurrent use.
func (d *Daemon) Snapshot() *status.Snapshot { return d.shot.Load() }

// Run watches until the context ends, which is no error.
func (d *Daemon) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	fo := d.o.Files
	fo.Root, fo.Manifests, fo.Patterns, fo.Debounce = d.subject.Root, d.subject.Manifests, files.NewPatterns(d.subject.Manifest.Sources), d.o.Debounce
	var err error
	if d.watcher, err = d.o.Watch(fo); err != nil {
		d.sinks.close()
		d.subject.Close()
		return err
	}
	watching := make(chan struct{})
	go func() { defer close(watching); d.watcher.Run(ctx) }()
	defer func() { stop(); <-watching }()
	defer d.end()
	d.sinks.start(ctx)
	d.gateways.start(ctx)
	d.guard(ctx, func() {
		d.tell(d.o.Now()) // what a crash left untold
		d.begin(ctx, nil)
		d.publish()
	})
	for {
		timer := time.NewTimer(d.wait())
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case c := <-d.watcher.Changes():
			d.guard(ctx, func() { d.changed(ctx, c) })
		case r := <-d.full.done:
			d.guard(ctx, func() { d.finished(ctx, r) })
		case a := <-d.gateways.answers:
			d.guard(ctx, func() { d.answered(a) })
		case <-d.o.Again:
			d.guard(ctx, func() {
				d.anew = true
				if d.reload(ctx) == kept {
					d.begin(ctx, nil)
				}
			})
		case <-timer.C:
			d.guard(ctx, func() { d.due(ctx) })
		}
		timer.Stop()
	}
}

// guard does something after a look at the clock, and survives a panic: it is counted and logged, and everything is
// looked at again soon.
func (d *Daemon) guard(ctx context.Context, f func()) {
	defer func() {
		if cause := recover(); cause != nil {
			defer func() { _ = recover() }() // what is shown then is what was shown before
			d.totals.Panics++
			d.wrong("panic", schema.Textf("a defect of poolproof was survived: %v", "已从 poolproof 的一个缺陷中恢复：%v", firstLine(cause)))
			d.o.Log(schema.Textf("%[1]v\n%[2]s", "%[1]v\n%[2]s", cause, debug.Stack()))
			d.next = time.Now().Add(afterPanic)
			d.scanner = nil // nobody knows how far it came
			d.ledger.Hold()
			d.publish()
		}
	}()
	d.watchClock(ctx)
	f()
}

// firstLine is what a panic says without the stack that some carry.
func firstLine(cause any) string {
	line, _, _ := strings.Cut(fmt.Sprint(cause), "\n")
	return line
}

// afterPanic is how long after a panic everything is looked at again.
const afterPanic = 10 * time.Second

// wait is how long nothing is due.
func (d *Daemon) wait() time.Duration {
	wait := time.Until(d.next)
	if !d.settle.IsZero() {
		wait = min(wait, time.Until(d.settle))
	}
	if at := d.ledger.Next(d.lasting()); !at.IsZero() {
		wait = min(wait, at.Sub(d.o.Now().Round(0)))
	}
	return min(max(wait, 10*time.Millisecond), pulse)
}

// pulse is how often the daemon wakes at least, to show how watcher and sinks do, to save what could not be saved, and
// since clocks jump.
const pulse = 10 * time.Second

// due does what the time has come for.
func (d *Daemon) due(ctx context.Context) {
	late := !time.Now().Before(d.next)
	if late {
		d.watcher.Again(ctx)
	}
	if late || !d.settle.IsZero() && !time.Now().Before(d.settle) {
		outcome := kept
		if late && (d.bad != nil || d.subject.Manifest.Discovered) || d.errors["scan"].Name != "" {
			outcome = d.reload(ctx)
		}
		if outcome == kept {
			d.begin(ctx, nil)
		}
	}
	d.tell(d.o.Now())
	d.publish()
}

// wrong remembers and logs what is wrong with the watching; the zero text ends it.
func (d *Daemon) wrong(name string, text schema.Text) {
	old, was := d.errors[name]
	switch {
	case text.En == "":
		if was {
			delete(d.errors, name)
			d.o.Log(schema.Textf("%s: well again", "%s：已恢复", name))
		}
		return
	case !was:
		old = status.Error{Name: name, Since: d.o.Now()}
	}
	if old.Text != text {
		d.o.Log(text)
	}
	old.Text = text
	d.errors[name] = old
}

func textOf(err error) schema.Text {
	if err == nil {
		return schema.Text{}
	}
	return schema.Textf("%s", "%s", fmt.Sprint(err))
}
