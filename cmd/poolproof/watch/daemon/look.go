package daemon

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/scan"
	"github.com/poolproof/poolproof/schema"
)

// fullLook is a look at everything that runs beside.
type fullLook struct {
	running bool
	again   bool // asked for meanwhile
	subject *Subject
	missed  files.Change
	cancel  context.CancelFunc
	done    chan looked
}

type looked struct {
	subject *Subject
	scanner *scan.Scanner
	took    time.Duration
	err     error
}

func (f *fullLook) stop() {
	if !f.running {
		return
	}
	f.cancel()
	r := <-f.done
	f.running = false
	f.drop(r.subject, nil)
}

// drop closes a subject that is not the one in use.
func (f *fullLook) drop(s, used *Subject) {
	if s != nil && s != used {
		s.Close()
	}
}

// begin looks at everything, by another subject if one is given.
func (d *Daemon) begin(ctx context.Context, other *Subject) {
	d.settle, d.next = time.Time{}, time.Now().Add(d.o.Every)
	f := &d.full
	if f.running && other == nil {
		f.again = true
		return
	}
	d.abandon() // by a manifest that counts no more
	subject := other
	if subject == nil {
		subject = d.subject
	}
	full, cancel := context.WithCancel(ctx)
	*f = fullLook{running: true, subject: subject, cancel: cancel, done: make(chan looked, 1)}
	s := d.newScanner(subject)
	done := f.done
	go func() {
		start := time.Now()
		r := looked{subject: subject, scanner: s}
		defer func() {
			if cause := recover(); cause != nil {
				r.err = &panicked{cause, debug.Stack()}
			}
			r.took = time.Since(start)
			cancel()
			done <- r
		}()
		r.err = s.All(full)
	}()
}

// abandon ends the look that runs, and what it found is not used.
func (d *Daemon) abandon() {
	if f := &d.full; f.running {
		f.cancel()
		r := <-f.done
		f.drop(r.subject, d.subject)
		*f = fullLook{}
	}
}

// panicked is a panic of a goroutine that runs beside.
type panicked struct {
	cause any
	stack []byte
}

func (p *panicked) Error() string { return "a defect of poolproof: " + firstLine(p.cause) }

func (d *Daemon) newScanner(s *Subject) *scan.Scanner {
	return scan.New(scan.Options{Tree: s.Tree, Manifest: s.Manifest, Problems: s.Problems, Text: s.Text, Load: s.Load, Rules: d.o.Rules, Now: d.o.Now,
		Pools: d.o.Pools, RuleNames: d.o.RuleNames, Env: d.o.Environment})
}

// finished takes over what a look at everything found.
func (d *Daemon) finished(ctx context.Context, r looked) {
	missed, again := d.full.missed, d.full.again
	d.full = fullLook{}
	start := time.Now()
	defer func() { d.full.drop(r.subject, d.subject) }() // unless it was taken
	err := r.err
	if err == nil && len(missed.Paths) > 0 {
		err = r.scanner.Paths(ctx, missed.Paths)
	}
	if err == nil {
		err = d.vanished(r.scanner, r.subject)
	}
	d.totals.Cycles++
	if err != nil {
		var p *panicked
		if errors.As(err, &p) {
			d.totals.Panics++
			d.o.Log(schema.Textf("%[1]v\n%[2]s", "%[1]v\n%[2]s", p.cause, p.stack))
		}
		if ctx.Err() == nil {
			d.failed(err)
		}
		d.publish()
		return
	}
	if r.subject != d.subject {
		d.take(ctx, r.subject)
	}
	d.scanner, d.stale = r.scanner, true
	d.totals.FullScans++
	d.watcher.Set(ctx, nil, d.scanner.Beside())
	now := d.o.Now()
	d.scanned.FailingSince = time.Time{}
	d.judge(now)
	d.scanned.Full, d.scanned.FullTook = now, r.took
	d.looked(now, r.took+time.Since(start), 0)
	d.wrong("panic", schema.Text{}) // it came this far
	if again {
		d.begin(ctx, nil)
	} else if len(missed.Paths) > 0 {
		d.settle = time.Now().Add(d.o.Settle)
	}
	d.publish()
}

// vanished returns why an empty tree says nothing: with its files, what says which files there should be is gone too. So it
// is while a clone takes the place of another, and on a folder whose disk is not mounted.
func (d *Daemon) vanished(s *scan.Scanner, of *Subject) error {
	if s.Counts().Files > 0 {
		return nil
	}
	if d.bad != nil && d.bad.Gone {
		return errors.New("the manifest is gone, and all files that it names")
	}
	if old := d.shot.Load(); of.Manifest.Discovered && old != nil && old.Counts.Files > 0 {
		return errors.New("all files of known formats are gone")
	}
	return nil
}

// failed notes that nothing is known of the tree as it is now.
func (d *Daemon) failed(err error) {
	now := d.o.Now()
	d.totals.FailedScans++
	if d.scanned.FailingSince.IsZero() {
		d.scanned.FailingSince = now
	}
	d.settle = time.Time{}
	d.wrong("scan", schema.Textf("the tree cannot be looked at: %v; what was known is kept", "无法查看目录树：%v；保留已知的结果", err))
	if again := time.Now().Add(afterFailure); again.Before(d.next) || !d.next.After(time.Now()) {
		d.next = again
	}
	d.judge(now)
}

// afterFailure is how long after a look that failed the next one is tried.
const afterFailure = 10 * time.Second

// looked notes a look that succeeded.
func (d *Daemon) looked(now time.Time, took time.Duration, n int) {
	d.scanned.Completed, d.scanned.Took, d.scanned.Files, d.scanned.FailingSince = now, took, n, time.Time{}
	d.totals.Durations.Observe(took)
	d.wrong("scan", schema.Text{})
}

// changed judges what changed.
func (d *Daemon) changed(ctx context.Context, c files.Change) {
	start := time.Now()
	if c.Root || c.Manifest {
		switch d.reload(ctx) {
		case opened:
			d.full.missed.Merge(files.Change{Paths: c.Paths})
			return
		case gone: // what is open still can be somewhere else by now
			return
		}
	}
	if c.All {
		d.begin(ctx, nil)
		d.full.missed.Merge(files.Change{Paths: c.Paths})
		return
	}
	if d.full.running {
		d.full.missed.Merge(files.Change{Paths: c.Paths})
	}
	now := d.o.Now()
	if d.scanner == nil || !d.scanned.FailingSince.IsZero() || len(c.Paths) == 0 { // everything is looked at soon
		d.judge(now)
		d.publish()
		return
	}
	d.totals.Cycles++
	err := d.scanner.Paths(ctx, c.Paths)
	if err == nil {
		err = d.vanished(d.scanner, d.subject)
	}
	if err != nil {
		if ctx.Err() == nil {
			d.scanner = nil // it stopped half-way
			d.failed(err)
			d.begin(ctx, nil)
			d.publish()
		}
		return
	}
	d.stale = true
	d.judge(now)
	d.looked(now, time.Since(start), len(c.Paths))
	d.settle = time.Now().Add(d.o.Settle)
	d.watcher.Set(ctx, nil, d.scanner.Beside())
	d.publish()
}

// reloaded is how an attempt ended to open what is watched again.
type reloaded int

const (
	opened reloaded = iota // it is looked at now, and is used once that succeeds
	kept                   // the manifest cannot be used; the last one still is
	gone                   // there is nothing to look at; it is tried again soon
)

// reload opens what is watched again, since manifest or root changed.
func (d *Daemon) reload(ctx context.Context) reloaded {
	s, err := d.o.Open(ctx)
	if err == nil {
		if err = d.usable(s); err != nil {
			s.Close()
		}
	}
	outcome := kept
	var bad *BadManifest
	switch {
	case err == nil:
		d.bad = nil
		d.wrong("manifest", schema.Text{})
		d.begin(ctx, s)
		return opened
	case errors.As(err, &bad):
		d.bad = bad
		d.totals.ManifestFailures++
		d.wrong("manifest", schema.Textf("the manifest cannot be used, the last one still is: %v", "清单无法使用，仍沿用最后一份：%v", bad.Err))
	default:
		d.abandon()
		d.failed(err)
		outcome = gone
	}
	d.judge(d.o.Now())
	d.publish()
	return outcome
}

// usable returns why a manifest that was read cannot take the place of the one in use: it is gone, or names sinks or
// gateways that cannot be. Drift must not be told to nobody because of a slip of the pen.
func (d *Daemon) usable(s *Subject) error {
	m := s.Manifest
	if m.Discovered && !d.subject.Manifest.Discovered {
		return &BadManifest{File: d.subject.Manifest.File, Gone: true, Err: errors.New("it is gone"), Problems: []schema.Problem{{Rule: "source/unreadable",
			Text: schema.Textf("the manifest is gone; the last one is still in use", "清单文件已不存在；仍在使用最后一份")}}}
	}
	err := d.trySinks(s)
	if err == nil {
		_, err = d.openGateways(s)
	}
	if err != nil {
		return &BadManifest{File: m.File, Text: s.Text, Err: err}
	}
	return nil
}

// take puts another subject in use.
func (d *Daemon) take(ctx context.Context, s *Subject) {
	old := d.subject
	d.subject = s
	d.watcher.Set(ctx, files.NewPatterns(s.Manifest.Sources), nil)
	anew := d.anew
	d.anew = false
	if anew || !sameAlerts(old.Manifest.Alerts, s.Manifest.Alerts) {
		d.changeSinks(ctx, s)
	}
	if anew || !sameGateways(old.Manifest.Live, s.Manifest.Live) {
		d.changeGateways(ctx, s)
	}
	if old != s {
		old.Close()
	}
}
