// Package web shows what a watch knows over HTTP: a status page that keeps itself up to date, metrics for Prometheus,
// probes, and the findings and the status as JSON.
//
//	/                  the status page (?lang, ?q, ?page, ?drifts)
//	/rules/AREA/NAME   the page of a rule
//	/metrics           Prometheus
//	/healthz           200 while the process serves
//	/readyz            200 where a look was completed within three intervals, else 503 and why
//	/api/v1/findings   all findings, in the shape of the JSON report
//	/api/v1/status     everything else (?offset, ?limit)
//
// It only reads, knows no users, and by default is meant for loopback: on loopback it answers to names of this machine
// alone, so that no site can read it through a visitor's browser. What comes from watched files is hostile and stands
// nowhere unescaped.
package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
)

// DefaultAddress is where the server listens unless told otherwise: loopback alone.
const DefaultAddress = "127.0.0.1:9627"

// How long a client may take, and how long requests in flight may take to end at shutdown.
const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 10 * time.Second
	writeTimeout    = time.Minute
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 3 * time.Second
	maxHeader       = 16 << 10
)

// Options are what a server needs.
type Options struct {
	// Source returns what the watch knows, the same pointer until that changes; nil while nothing is known. It is called
	// from many goroutines and must not block.
	Source func() *status.Snapshot
	// Link is the address under which people reach the page, "https://poolproof.example.org/": its host is answered too.
	// It may be empty.
	Link string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Log is told what goes wrong inside net/http, and panics that were survived. It may be nil.
	Log func(message string)
}

// Server has its address and waits to serve.
type Server struct {
	listener net.Listener
	http     http.Server
}

// Listen takes the address ("127.0.0.1:9627", ":9627", "127.0.0.1:0" for any port), so that a port that is taken is an
// error at the start and not later.
func Listen(ctx context.Context, address string, o Options) (*Server, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", address, err)
	}
	h, err := newHandler(o, l.Addr())
	if err != nil {
		l.Close()
		return nil, err
	}
	limited := newCrowd(l, maxConnections)
	s := &Server{listener: limited}
	s.http = http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: errorLog(o.Log), ConnState: limited.state,
	}
	return s, nil
}

// Address is where the server listens, with the port that it really has.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// Loopback reports whether only this machine reaches the server.
func (s *Server) Loopback() bool { return loopback(s.Address()) }

// Close gives the address back. It is for servers that never serve.
func (s *Server) Close() error { return s.listener.Close() }

// Serve answers until the context ends, and then lets requests in flight end, for three seconds at most. The error is nil
// where the context ended it.
func (s *Server) Serve(ctx context.Context) error {
	done := make(chan error, 1)
	go func() { done <- s.http.Serve(s.listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := s.http.Shutdown(late); err != nil {
		s.http.Close()
	}
	if err := <-done; err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	return nil
}
