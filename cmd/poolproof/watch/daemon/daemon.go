// Package daemon is the loop of a watch: it looks at what changed, asks running gateways, remembers drift and tells of it.
//
// One goroutine decides. Looks at everything run beside it, on a scanner of their own that takes the place of the old one
// when it is done, so that a saved file is judged at once meanwhile. Gateways are asked by goroutines of their own, so that
// a slow one holds back nothing.
//
// What cannot be known is kept: drift of a file that cannot be read, of a gateway that does not answer, of a tree that
// cannot be looked at is held, neither ended nor told again.
package daemon

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
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
	// Again, which may be nil, asks for a look at everything (SIGHUP).
	Again <-chan struct{}
	// Files replaces options of the watcher, for tests.
	Files files.Options
}

// Daemon watches one tree.
type Daemon struct {
	o       Options
	started time.Time
	shot    atomic.Pointer[status.Snapshot]
	active  atomic.Pointer[[]alert.Event]

	// What follows belongs to the goroutine that decides.
	subject  *Subject
	scanner  *scan.Scanner // nil before the first look
	watcher  *files.Watcher
	ledger   *ledger.Ledger
	sinks    *sinks
	gateways *gateways
	bad      *BadManifest // the manifest as it is now, while an older one is in use
	full     fullLook
	live     []schema.Finding
	stale    bool // live has to be judged again
	settle   time.Time
	next     time.Time
	errors   map[string]status.Error
	scanned  status.Scan
	totals   status.Totals
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
	d := &Daemon{o: o, started: o.Now(), errors: map[string]status.Error{}}
	s, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	d.subject = s
	if d.ledger, err = ledger.Open(stateFile(o.State)); err != nil {
		d.wrong("state", schema.Textf("%v", "%v", err))
	}
	d.publishActive()
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
	if d.watcher, err = files.New(fo); err != nil {
		return err
	}
	watching := make(chan struct{})
	go func() { defer close(watching); d.watcher.Run(ctx) }()
	defer func() { stop(); <-watching }()
	defer d.end()
	d.sinks.start(ctx)
	d.gateways.start(ctx)
	d.guard(func() {
		d.tellUntold()
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
			d.guard(func() { d.changed(ctx, c) })
		case r := <-d.full.done:
			d.guard(func() { d.finished(ctx, r) })
		case a := <-d.gateways.answers:
			d.guard(func() { d.answered(a) })
		case <-d.o.Again:
			d.guard(func() { d.reload(ctx); d.begin(ctx, nil) })
		case <-timer.C:
			d.guard(func() { d.due(ctx) })
		}
		timer.Stop()
	}
}

// end lets what is under way end, and keeps what has to survive.
func (d *Daemon) end() {
	d.gateways.stop()
	d.full.stop()
	d.sinks.stop()
	if err := d.sinks.flush(flushAtEnd); err != nil {
		d.o.Log(schema.Textf("%v; it is delivered after the next start", "%v；将在下次启动后送达", err))
	}
	d.save()
	d.sinks.close()
	d.subject.Close()
}

// flushAtEnd is how long the end waits for what still has to be delivered.
const flushAtEnd = 3 * time.Second

// guard survives a panic: it is counted and logged, and everything is looked at again soon.
func (d *Daemon) guard(f func()) {
	defer func() {
		if cause := recover(); cause != nil {
			d.totals.Panics++
			d.wrong("panic", schema.Textf("a defect of poolproof was survived: %v", "已从 poolproof 的一个缺陷中恢复：%v", cause))
			d.o.Log(schema.Textf("%s", "%s", debug.Stack()))
			d.next = d.o.Now().Add(afterPanic)
			d.scanner = nil // nobody knows how far it came
		}
	}()
	f()
}

// afterPanic is how long after a panic everything is looked at again.
const afterPanic = 10 * time.Second

// wait is how long nothing is due.
func (d *Daemon) wait() time.Duration {
	now := d.o.Now()
	at := d.next
	for _, t := range []time.Time{d.settle, d.ledger.Next(d.subject.Manifest.Alerts.For)} {
		if !t.IsZero() && t.Before(at) {
			at = t
		}
	}
	return min(max(at.Sub(now), 10*time.Millisecond), pulse)
}

// pulse is how often the daemon wakes at least, to show how watcher and sinks do, and since clocks jump.
const pulse = 10 * time.Second

// due does what the time has come for.
func (d *Daemon) due(ctx context.Context) {
	now := d.o.Now()
	if !d.settle.IsZero() && !now.Before(d.settle) || !now.Before(d.next) || d.next.Sub(now) > d.o.Every {
		if !now.Before(d.next) {
			d.watcher.Again(ctx)
			if d.bad != nil || d.subject.Manifest.Discovered || d.errors["scan"].Name != "" {
				d.reload(ctx)
			}
		}
		d.begin(ctx, nil)
	}
	d.tell(now)
	d.save()
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
