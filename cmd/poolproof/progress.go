package main

import (
	"cmp"
	"fmt"
	"sync"
	"time"
)

// progress tells a terminal how far long work is. On anything else it is silent.
type progress struct {
	o     *options
	what  string
	mu    sync.Mutex
	start time.Time
	last  time.Time
	shown bool
	count int
	unit  string // of what is counted; empty: files
}

// progressDelay is how long work must last before anything is shown, progressEvery how often that is renewed.
const (
	progressDelay = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func (o *options) progress(what string) *progress {
	return &progress{o: o, what: what, start: o.env.now()}
}

// set shows that done of total parts are done. Calls may come late and out of order.
func (p *progress) set(done, total int) {
	if !p.o.env.errTerminal || p.o.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = max(p.count, done)
	now := p.o.env.now()
	if now.Sub(p.start) < progressDelay || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.o.env.err, "\r%s: %d of %d %s", p.what, p.count, total, cmp.Or(p.unit, "files"))
}

// done removes what was shown.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.o.env.err, "\r\x1b[K")
	}
}
