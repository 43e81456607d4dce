package daemon

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Once looks at everything once, asks every gateway once, tells what is due and waits until it is delivered. It returns
// all that is wrong, and how many pools there are. The error says that nothing could be judged; undelivered, that some
// sink was not reached, which is tried again next time.
func (d *Daemon) Once(ctx context.Context) (findings []schema.Finding, pools int, undelivered, err error) {
	defer func() {
		d.save()
		d.sinks.close()
		d.subject.Close()
	}()
	d.tell(d.o.Now()) // what a crash left untold
	start := time.Now()
	s := d.newScanner(d.subject)
	if err := s.All(ctx); err != nil {
		return nil, 0, nil, fmt.Errorf("looking at the tree: %w", err)
	}
	d.scanner = s
	d.totals.Cycles, d.totals.FullScans = 1, 1
	answers := make([]answer, len(d.gateways.list))
	var wait sync.WaitGroup
	for i, one := range d.gateways.list {
		wait.Go(func() { answers[i] = answer{index: i, asked: d.o.Now(), Answer: ask(ctx, one)} })
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, 0, nil, err
	}
	for _, a := range answers {
		d.note(a)
	}
	d.stale = true
	now := d.o.Now()
	d.judge(now)
	d.looked(now, time.Since(start), 0)
	d.scanned.Full = now
	d.publish()
	flush, cancel := context.WithTimeout(ctx, flushOnce)
	defer cancel()
	undelivered = errors.Join(d.sinks.runner.Flush(flush), d.sinks.runner.Resend(flush))
	return d.findings(false), s.Counts().Pools, undelivered, nil
}

// flushOnce is how long a single run waits for its sinks.
const flushOnce = 30 * time.Second
