package web

import (
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
)

// site holds what all endpoints share.
type site struct {
	source func() *status.Snapshot
	now    func() time.Time
	pages  map[string]*pages // by language
	order  ordered
}

// newHandler makes the handler for a server at an address.
func newHandler(o Options, at net.Addr) (http.Handler, error) {
	s := &site{source: o.Source, now: o.Now, pages: map[string]*pages{}}
	if s.now == nil {
		s.now = time.Now
	}
	for _, lang := range languages() {
		p, err := newPages(lang)
		if err != nil {
			return nil, err
		}
		s.pages[lang] = p
	}
	metrics, err := s.metrics()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.page)
	mux.HandleFunc("/rules/{area}/{name}", s.rule)
	mux.HandleFunc("/assets/{file}", s.asset)
	mux.Handle("/metrics", metrics)
	mux.HandleFunc("/healthz", s.healthy)
	mux.HandleFunc("/readyz", s.ready)
	mux.HandleFunc("/api/v1/findings", s.findings)
	mux.HandleFunc("/api/v1/status", s.status)
	return guard(mux, hosts(at, o.Link), o.Log), nil
}

// errorLog gives what net/http complains of to a log, line by line and harmless: it holds what clients sent.
func errorLog(tell func(string)) *log.Logger {
	return log.New(lines(func(s string) {
		if tell != nil {
			tell(report.ShownText(s))
		}
	}), "", 0)
}

type lines func(string)

func (f lines) Write(b []byte) (int, error) {
	f(strings.TrimRight(string(b), "\n"))
	return len(b), nil
}
