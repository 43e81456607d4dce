package daemon

import (
	"context"
	"path/filepath"
	"reflect"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/schema"
)

// sinks tell of drift, for as long as a manifest's alerts stay as they are.
type sinks struct {
	runner *alert.Runner
	cancel context.CancelFunc
	done   chan struct{}
}

// gather is how long a sink waits for more events before it tells the first one.
const gather = 500 * time.Millisecond

// Sinks returns the sinks of alerts; where there are none, drift is told on standard output.
func Sinks(a schema.Alerts, c alert.Config) ([]alert.Sink, error) {
	if len(a.Sinks) == 0 {
		a.Sinks = []schema.AlertSink{{Kind: "stdout"}}
	}
	return alert.Open(a, c)
}

func (d *Daemon) sinksOf(s *Subject) ([]alert.Sink, error) {
	return Sinks(s.Manifest.Alerts, alert.Config{Lang: d.o.Lang, Root: s.Root, Env: d.o.Env})
}

// trySinks returns which sinks of a manifest cannot be made, and why.
func (d *Daemon) trySinks(s *Subject) error {
	_, err := d.sinksOf(s)
	return err
}

func (d *Daemon) openSinks(s *Subject) (*sinks, error) {
	list, err := d.sinksOf(s)
	if err != nil && (d.sinks == nil || len(list) == 0) {
		return nil, err
	}
	d.wrong("sinks", textOf(err))
	dir := ""
	if d.o.State != "" {
		dir = filepath.Join(d.o.State, "queues")
	}
	r, err := alert.NewRunner(list, alert.Options{Dir: dir, Disk: d.o.Disk, Client: d.o.Client, Stdout: d.o.Stdout, Now: d.o.Now, Gather: gather,
		Active: d.ledger.Active,
		Log: func(sink string, err error) {
			if err == nil {
				d.o.Log(schema.Textf("alerts: %s: delivers again", "告警：%s：已恢复投递", sink))
				return
			}
			d.o.Log(schema.Textf("alerts: %s: %v", "告警：%s：%v", sink, err))
		}})
	d.wrong("alerts", textOf(err))
	return &sinks{runner: r}, nil
}

func (s *sinks) start(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go func() { defer close(s.done); s.runner.Run(ctx) }()
}

func (s *sinks) stop() {
	if s.cancel != nil {
		s.cancel()
		<-s.done
	}
}

func (s *sinks) tell(events []alert.Event) error { return s.runner.Tell(events) }

func (s *sinks) flush(most time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	return s.runner.Flush(ctx)
}

func (s *sinks) close() { _ = s.runner.Close() }

// changeSinks tells the sinks of another manifest from now on. What waits for one that stays goes on.
func (d *Daemon) changeSinks(ctx context.Context, s *Subject) {
	old := d.sinks
	within(underWay, old.stop)
	old.close() // its queues are opened again
	next, err := d.openSinks(s)
	if err != nil {
		d.wrong("sinks", textOf(err))
		next = &sinks{}
		next.runner, _ = alert.NewRunner(nil, alert.Options{})
	}
	d.sinks = next
	if err := next.runner.Adopt(old.runner); err != nil {
		d.wrong("alerts", textOf(err))
	}
	next.start(ctx)
}

func sameAlerts(a, b schema.Alerts) bool {
	plain := func(x schema.Alerts) schema.Alerts {
		x.For = 0
		list := x.Sinks
		x.Sinks = nil
		for _, s := range list {
			s.At = schema.Span{}
			settings := s.Settings
			s.Settings = nil
			for _, set := range settings {
				set.At = schema.Span{}
				s.Settings = append(s.Settings, set)
			}
			x.Sinks = append(x.Sinks, s)
		}
		return x
	}
	return reflect.DeepEqual(plain(a), plain(b))
}
