package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// noon is now in tests that do not look at the page in a browser.
func noon() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }

func drift(now time.Time, pool, rule string, severity schema.Severity, got, want string) status.Drift {
	since := now.Add(-7 * time.Minute)
	return status.Drift{Identity: pool + rule, Told: true, Event: alert.Event{Key: alert.Key(pool+rule, since), Rule: rule,
		Severity: severity, Pool: pool, Env: "prod", Item: "members", Field: "weight", Member: "10.0.0.2:8080", Side: schema.Live,
		Place: "haproxy edge-1", Got: got, Want: want, Since: since,
		Message: schema.Text{En: "The running gateway gives member 10.0.0.2:8080 another weight than its file.", Zh: "运行中的网关对成员 10.0.0.2:8080 使用的权重与文件不同。"},
		Hint:    schema.Text{En: "Reload the gateway, or bring the file in step.", Zh: "重新加载网关，或更新文件。"}}}
}

// fine is a watch that sees and finds nothing wrong, with so many pools.
func fine(now time.Time, pools int) *status.Snapshot {
	s := &status.Snapshot{At: now, Version: "v1.2.3", Lang: "en", Root: "/srv/config", Manifest: "poolproof.yaml", Started: now.Add(-time.Hour),
		Every: time.Minute,
		Scan:  status.Scan{Completed: now.Add(-4 * time.Second), Full: now.Add(-30 * time.Second), FullTook: 812 * time.Millisecond, Took: 43 * time.Millisecond},
		Counts: status.Counts{Files: 3 * pools, Pools: pools, Copies: 3 * pools,
			Sides: map[schema.Side]int{schema.App: pools, schema.Gateway: pools, schema.Doc: pools}},
		Gateways: []status.Gateway{{Name: "haproxy edge-1", Asked: now.Add(-2 * time.Second), Answered: now.Add(-2 * time.Second), Pools: 3, Asks: 9}},
		Sinks:    []alert.Status{{Sink: "alertmanager", Sent: 12}, {Sink: "slack", Sent: 4}},
		Watcher:  status.Watcher{Folders: 12},
		Totals:   status.Totals{Cycles: 41, FullScans: 3, Began: 5, Ended: 4},
	}
	for i := range pools {
		name := fmt.Sprintf("orders-%d", i)
		s.Pools = append(s.Pools, &status.Pool{Name: name, Env: "prod", Copies: []status.Copy{
			{Side: schema.App, File: "app/" + name + "/application.yaml", Format: "spring"},
			{Side: schema.Gateway, File: "gateway/haproxy.cfg", Format: "haproxy"},
			{Side: schema.Doc, File: "docs/" + name + ".md", Format: "markdown"}}})
	}
	s.Totals.Durations.Observe(43 * time.Millisecond)
	return s
}

// wrong is a watch that sees much that is wrong.
func wrong(now time.Time) *status.Snapshot {
	s := fine(now, 4)
	s.Drifts = []status.Drift{drift(now, "orders-0", "live/differs", schema.Error, "50", "100"),
		drift(now, "orders-1", "members/missing", schema.Error, "", "10.0.0.3:8080, weight 100"),
		drift(now, "orders-2", "probe/differs", schema.Warning, "2s", "5s")}
	s.Drifts[1].Held, s.Drifts[2].Told = true, false
	for i := range 3 {
		d := &s.Drifts[i]
		s.Pools[i].Findings = []schema.Finding{{Rule: d.Rule, Severity: d.Severity, Pool: d.Pool, Env: d.Env, Message: d.Message, Status: schema.New,
			At: schema.Place{Side: schema.Gateway, File: "gateway/haproxy.cfg", Line: 3, Column: 1}, Fingerprint: fmt.Sprint("f", i)}}
	}
	silent := s.Pools[0].Findings[0]
	silent.Status, silent.SuppressedBy = schema.Suppressed, schema.ExceptionBy+"ops"
	s.Pools[3].Findings = []schema.Finding{silent}
	s.Gateways = append(s.Gateways, status.Gateway{Name: "envoy edge-2", Asked: now, Answered: now.Add(-20 * time.Minute), UnknownSince: now.Add(-15 * time.Minute),
		Reason: schema.Text{En: "No connection: connection refused.", Zh: "无法连接：连接被拒绝。"}, Asks: 9, Failed: 4})
	s.Sinks[1].Err, s.Sinks[1].Since, s.Sinks[1].Waiting = errors.New("the server answers 503"), now.Add(-3*time.Minute), 7
	s.Errors = []status.Error{{Name: "manifest", Text: schema.Text{En: "The manifest is broken; the one before it stays in force.", Zh: "清单有误，仍沿用上一份。"}, Since: now.Add(-time.Minute)}}
	s.Counts.Errors, s.Counts.Warnings, s.Counts.Drifts = 2, 1, 3
	return s
}

// stage serves what it is told to.
type stage struct {
	snapshot atomic.Pointer[status.Snapshot]
	handler  http.Handler
}

func newStage(t *testing.T, s *status.Snapshot) *stage {
	t.Helper()
	st := &stage{}
	st.snapshot.Store(s)
	h, err := newHandler(Options{Source: st.snapshot.Load, Now: noon, Link: "https://watch.example.org/x",
		Log: func(m string) { t.Error("the server complains: " + m) }}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9627})
	if err != nil {
		t.Fatal(err)
	}
	st.handler = h
	return st
}

func (st *stage) ask(change func(*http.Request), path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost:9627"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	st.handler.ServeHTTP(w, r)
	return w
}
