package daemon

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// How long the end waits for what is under way, and for what still has to be delivered. What takes longer is left alone:
// a reader on a file system that hangs, a standard output that nobody reads. Nothing is lost by that, since the state is
// kept first, and what is not delivered stays in its queue.
const (
	underWay   = 3 * time.Second
	flushAtEnd = 3 * time.Second
)

// end lets what is under way end, and keeps what has to survive.
func (d *Daemon) end() {
	d.save()
	within(underWay, func() { d.gateways.stop() })
	looked := within(underWay, func() { d.full.stop() })
	if within(underWay, func() { d.sinks.stop() }) {
		if err := d.sinks.flush(flushAtEnd); err != nil {
			d.o.Log(schema.Textf("%v; it is delivered after the next start", "%v；将在下次启动后送达", err))
		}
		d.sinks.close()
	} else {
		d.o.Log(schema.Textf("a sink does not end; what it did not take is delivered after the next start", "某个告警接收端没有结束；未送达的内容将在下次启动后送达"))
	}
	if looked {
		d.subject.Close()
	}
}

// within does something for so long, and reports whether it was done.
func within(most time.Duration, do func()) bool {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
