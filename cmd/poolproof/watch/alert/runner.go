package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/spool"
)

// The waits between attempts: doubled from the first to the last, each shortened by up to a fifth so that sinks which
// fell silent together do not wake together.
const (
	firstWait = time.Second
	lastWait  = 5 * time.Minute
	// maxBatch is how many events one attempt takes out of a queue.
	maxBatch = 20_000
)

// Options are what a runner needs.
type Options struct {
	// Dir is where the queues are; empty: nowhere, all is in memory.
	Dir string
	// Disk is what they are written to; nil is that of the machine.
	Disk   disk.Disk
	Client *http.Client
	Stdout io.Writer
	Now    func() time.Time
	// Active returns the drift that lasts, for sinks that want it again and again. It may be nil.
	Active func() []Event
	// Log is told what goes wrong, once at each change. It may be nil.
	Log func(sink string, err error)
	// Gather is how long a runner waits for more events before it tells the first one.
	Gather time.Duration
}

// Runner delivers events to sinks. Each has its own queue and pace, so that one which fails holds back no other.
type Runner struct {
	options Options
	lanes   []*lane
}

// lane is one sink with its queue.
type lane struct {
	*Runner
	sink  Sink
	queue *spool.Queue
	wake  chan struct{}
	// unmarked: what was delivered last could not be noted, which is logged once. It belongs to the one that delivers.
	unmarked bool

	mu       sync.Mutex
	failed   error
	since    time.Time
	later    time.Time // what the receiver asked to be left alone until, on the clock of the process
	sent     uint64
	failures uint64
	tries    int // that failed in a row
	dropped  int // that were logged
}

// Status says how a sink does.
type Status struct {
	Sink    string
	Waiting int
	// Dropped counts events that were given up because too many waited.
	Dropped int
	// Sent counts the events that were delivered, repetitions aside.
	Sent uint64
	// Failures counts the attempts that failed, of whatever size.
	Failures uint64
	// Err is why it fails now, Since from when on.
	Err   error
	Since time.Time
}

// NewRunner opens the queues of the sinks. Where there is an error, the runner works and keeps in memory what it cannot
// keep on disk.
func NewRunner(sinks []Sink, o Options) (*Runner, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = NewClient(30 * time.Second)
	}
	if o.Disk == nil {
		o.Disk = disk.Real()
	}
	if o.Log == nil {
		o.Log = func(string, error) {}
	}
	r := &Runner{options: o}
	var errs []error
	for _, s := range sinks {
		l := &lane{Runner: r, sink: s, wake: make(chan struct{}, 1)}
		var err error
		if o.Dir != "" {
			l.queue, err = spool.Open(filepath.Join(o.Dir, s.Name), o.Disk)
		} else {
			l.queue = spool.InMemory()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("alerts: %s: %w", s.Name, err))
		}
		r.lanes = append(r.lanes, l)
	}
	return r, errors.Join(errs...)
}

// Tell puts events into the queue of every sink. They are on disk when it returns; an error says where they are in memory
// alone.
func (r *Runner) Tell(events []Event) error {
	if len(events) == 0 {
		return nil
	}
	records := make([]json.RawMessage, 0, len(events))
	for i := range events {
		text, err := json.Marshal(events[i])
		if err != nil {
			return err
		}
		records = append(records, text)
	}
	var errs []error
	for _, l := range r.lanes {
		if err := l.queue.Append(records...); err != nil {
			errs = append(errs, fmt.Errorf("alerts: %s: %w", l.sink.Name, err))
		}
		l.givenUp()
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
	return errors.Join(errs...)
}

// Save writes what is in memory alone to disk. The error says what still is.
func (r *Runner) Save() error {
	var errs []error
	for _, l := range r.lanes {
		if err := l.queue.Save(); err != nil {
			errs = append(errs, fmt.Errorf("alerts: %s: %w", l.sink.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Adopt takes over what waits in another runner, which was closed, and is in memory alone there, for sinks of the same
// names.
func (r *Runner) Adopt(other *Runner) error {
	var errs []error
	for _, l := range r.lanes {
		for _, o := range other.lanes {
			if o.sink.Name == l.sink.Name {
				errs = append(errs, l.queue.Append(o.queue.Unsafe()...))
			}
		}
	}
	return errors.Join(errs...)
}

// givenUp logs that a queue is full.
func (l *lane) givenUp() {
	n := l.queue.Dropped()
	l.mu.Lock()
	more := n - l.dropped
	l.dropped = n
	l.mu.Unlock()
	if more > 0 {
		l.options.Log(l.sink.Name, fmt.Errorf("%d events were given up, the oldest ones: more than %d events, or %d MiB, wait for it", more, spool.MaxPending, spool.MaxBytes>>20))
	}
}

// Run delivers until the context ends.
func (r *Runner) Run(ctx context.Context) {
	var wg sync.WaitGroup
	for _, l := range r.lanes {
		wg.Go(func() { l.run(ctx) })
	}
	wg.Wait()
}

// Flush tries every sink until its queue is empty or it fails, and returns what failed. It is for runs that end. A sink
// that asked to be left alone for a while is not tried.
func (r *Runner) Flush(ctx context.Context) error {
	errs := make([]error, len(r.lanes))
	var wg sync.WaitGroup
	for i, l := range r.lanes {
		wg.Go(func() {
			for errs[i] == nil && l.queue.Len() > 0 {
				if errs[i] = l.heldBack(); errs[i] == nil {
					errs[i] = l.deliver(ctx)
				}
			}
			if errs[i] != nil {
				errs[i] = fmt.Errorf("alerts: %s: %w", l.sink.Name, errs[i])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Resend tells drift that lasts again to the sinks that forget it otherwise. It is for runs that end.
func (r *Runner) Resend(ctx context.Context) error {
	var errs []error
	for _, l := range r.lanes {
		if l.sink.Resend > 0 && l.options.Active != nil && l.heldBack() == nil {
			if _, err := l.resend(ctx); err != nil {
				errs = append(errs, fmt.Errorf("alerts: %s: %w", l.sink.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Test sends a sample to every sink, past the queues, and returns what each says, nil where it arrived.
func (r *Runner) Test(ctx context.Context, sample Event) map[string]error {
	out := map[string]error{}
	for _, l := range r.lanes {
		out[l.sink.Name] = l.send(ctx, Batch{Events: []Event{sample}, Now: r.options.Now(), Sample: true})
	}
	return out
}

// Statuses says how the sinks do, in their order.
func (r *Runner) Statuses() []Status {
	var out []Status
	for _, l := range r.lanes {
		l.mu.Lock()
		out = append(out, Status{Sink: l.sink.Name, Waiting: l.queue.Len(), Dropped: l.queue.Dropped(), Sent: l.sent, Failures: l.failures, Err: l.failed, Since: l.since})
		l.mu.Unlock()
	}
	return out
}

// Close closes the queues.
func (r *Runner) Close() error {
	var errs []error
	for _, l := range r.lanes {
		errs = append(errs, l.queue.Close())
	}
	return errors.Join(errs...)
}

func (l *lane) run(ctx context.Context) {
	var again <-chan time.Time
	if l.sink.Resend > 0 && l.options.Active != nil {
		ticker := time.NewTicker(l.sink.Resend)
		defer ticker.Stop()
		again = ticker.C
	}
	var next time.Time // when the next attempt is due; zero while nothing waits
	for {
		if next.IsZero() && l.queue.Len() > 0 {
			next = time.Now().Add(l.gather())
		}
		var due <-chan time.Time
		wake := l.wake
		if !next.IsZero() { // neither a stream of events nor repetitions put this off
			due, wake = time.After(time.Until(next)), nil
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
			continue
		case <-again:
			if l.heldBack() == nil {
				if told, _ := l.resend(ctx); told {
					next = time.Time{} // it is back
				}
			}
			continue
		case <-due:
		}
		if next = (time.Time{}); l.deliver(ctx) != nil {
			next = time.Now().Add(l.pause())
		}
	}
}

// gather is how long the first event waits for more.
func (l *lane) gather() time.Duration {
	if l.sink.AtOnce {
		return 0
	}
	return l.options.Gather
}

// deliver makes one attempt with what waits.
func (l *lane) deliver(ctx context.Context) error {
	records := l.queue.Peek(maxBatch)
	if len(records) == 0 {
		return nil
	}
	b := Batch{Now: l.options.Now(), Events: make([]Event, 0, len(records))}
	for _, r := range records {
		var e Event
		if err := json.Unmarshal(r.Data, &e); err == nil { // a record of another version of poolproof tells nobody anything
			b.Events = append(b.Events, e)
		}
	}
	err := l.send(ctx, b)
	if err == nil {
		ack := l.queue.Ack(records[len(records)-1].Seq)
		if ack != nil && !l.unmarked {
			l.options.Log(l.sink.Name, ack)
		}
		l.unmarked = ack != nil
		l.mu.Lock()
		l.sent += uint64(len(b.Events))
		l.mu.Unlock()
	}
	return l.note(err)
}

// resend tells drift that lasts again. told reports whether the receiver took it; there may be nothing to tell, which says
// nothing about the receiver.
func (l *lane) resend(ctx context.Context) (told bool, err error) {
	events := l.options.Active()
	if len(events) == 0 {
		return false, nil
	}
	err = l.note(l.send(ctx, Batch{Events: events, Now: l.options.Now()}))
	return err == nil, err
}

// send sends a batch. A panic is a defect, and no reason to stop telling the other sinks.
func (l *lane) send(ctx context.Context, b Batch) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("a defect of poolproof: %v", cause)
			l.options.Log(l.sink.Name, fmt.Errorf("%s", debug.Stack()))
		}
	}()
	told := make([]Event, 0, len(b.Events))
	for _, e := range b.Events {
		told = append(told, e.shown())
	}
	b.Events = told
	return l.sink.send(ctx, l.options.Client, l.options.Stdout, b)
}

// heldBack returns why a sink is left alone for now: the receiver asked for that.
func (l *lane) heldBack() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Now().Before(l.later) {
		return l.failed
	}
	return nil
}

// note remembers how an attempt ended, and logs a change.
func (l *lane) note(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := (err == nil) != (l.failed == nil)
	l.failed, l.later = err, time.Time{}
	if err == nil {
		l.tries, l.since = 0, time.Time{}
	} else {
		l.tries++
		l.failures++
		if changed {
			l.since = l.options.Now()
		}
		if after := longest(err); after > 0 {
			l.later = time.Now().Add(after)
		}
	}
	if changed {
		l.options.Log(l.sink.Name, err)
	}
	return err
}

// pause returns how long to wait after a failure: what the receiver asks for, or longer each time.
func (l *lane) pause() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := lastWait
	if n := l.tries - 1; n >= 0 && n < 16 {
		wait = min(lastWait, firstWait<<n)
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d", l.sink.Name, l.tries)
	wait -= wait / 5 * time.Duration(h.Sum32()%100) / 100
	return max(wait, time.Until(l.later))
}
