package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// maxTracks is how many servers may follow each other. HAProxy refuses loops.
const maxTracks = 64

// source is the server whose state a server goes by: its own, or that of the last one that it follows.
func (e *Engine) source(i int) *server {
	for range maxTracks {
		j := e.servers[i].tracked
		if j < 0 {
			break
		}
		i = j
	}
	return &e.servers[i]
}

// follow gives a server that tracks another one the state of that one at start.
func (e *Engine) follow(i int) {
	if s := &e.servers[i]; s.tracked >= 0 {
		of := e.source(i)
		s.phase, s.maint = of.phase, s.disabled || of.maint
	}
}

// follows gives a server the state that one which it tracks has come into.
func (e *Engine) follows(now time.Duration, i int, why schema.Text) {
	s, of := &e.servers[i], e.source(i)
	maint := s.disabled || of.maint
	was := s.phase
	switch {
	case was == stopped && of.phase != stopped, s.maint && !maint:
		e.raise(now, s)
		if of.phase == stopping {
			s.phase, s.warmup = stopping, failover.Never
		}
	case of.phase == stopped:
		s.phase, s.warmup, s.share = stopped, failover.Never, fullShare
	case of.phase == stopping:
		s.phase, s.warmup = stopping, failover.Never
	case was == stopping:
		s.phase = running
	case was == s.phase && maint == s.maint:
		return
	}
	s.maint = maint
	e.changed(now, i, why, s.severs && s.phase == stopped && was != stopped)
}
