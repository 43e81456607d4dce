package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

func TestEndpoints(t *testing.T) {
	stale := fine(noon(), 2)
	stale.Scan.Completed = noon().Add(-3*time.Minute - time.Second)
	stale.Errors = []status.Error{{Name: "scan", Text: schema.Text{En: "the disk is gone", Zh: "磁盘不可用"}}}
	edge := fine(noon(), 2)
	edge.Scan.Completed = noon().Add(-3 * time.Minute)
	states := map[string]*status.Snapshot{"none": nil, "first": {Every: time.Minute}, "fine": fine(noon(), 2), "wrong": wrong(noon()), "stale": stale, "edge": edge}
	for _, c := range []struct {
		state, path string
		code        int
		kind        string
		holds       []string
	}{
		{"none", "/healthz", 200, "text/plain", []string{"ok"}},
		{"stale", "/healthz", 200, "text/plain", []string{"ok"}},
		{"none", "/readyz", 503, "text/plain", []string{"no look at the tree was completed yet"}},
		{"first", "/readyz", 503, "text/plain", []string{"no look"}},
		{"fine", "/readyz", 200, "text/plain", []string{"ready"}},
		{"wrong", "/readyz", 200, "text/plain", []string{"ready"}},
		{"edge", "/readyz", 200, "text/plain", []string{"ready"}},
		{"stale", "/readyz", 503, "text/plain", []string{"3m1s old", "the disk is gone"}},
		{"none", "/", 200, "text/html", []string{"The first look is not finished", `data-state="blind"`}},
		{"fine", "/", 200, "text/html", []string{"2 pools, all copies agree", `http-equiv="refresh"`}},
		{"fine", "/?lang=zh", 200, "text/html", []string{"2 个池，各处副本一致", `<html lang="zh">`}},
		{"stale", "/", 200, "text/html", []string{"Blind: nothing was looked at for 3m1s", "the disk is gone"}},
		{"wrong", "/", 200, "text/html", []string{"3 differences in 3 pools", ">50<", ">100<", `href="/rules/live/differs?lang=en"`, "connection refused", "answers 503", "The manifest is broken", "cannot be seen now"}},
		{"wrong", "/?q=ORDERS-2", 200, "text/html", []string{`Drift <span class="n">1<`, `Pools <span class="n">1<`}},
		{"wrong", "/?q=%3Cb%3E", 200, "text/html", []string{"&lt;b&gt;", "Nothing here holds"}},
		{"wrong", "/?page=99999999999999999999&drifts=-3", 200, "text/html", []string{"orders-3"}},
		{"wrong", "/rules/live/differs", 200, "text/html", []string{"<h1>live/differs</h1>"}},
		{"wrong", "/rules/live/nothing", 404, "text/plain", nil},
		{"wrong", "/rules/..%2f..%2fetc/passwd", 404, "text/plain", nil},
		{"wrong", "/assets/page.gohtml", 404, "text/plain", nil},
		{"wrong", "/assets/page.js", 200, "text/javascript", nil},
		{"wrong", "/assets/page.css", 200, "text/css", nil},
		{"wrong", "/assets/bad.svg", 200, "image/svg+xml", nil},
		{"none", "/api/v1/findings", 503, "application/json", []string{`"error"`}},
		{"first", "/api/v1/findings", 503, "application/json", []string{`"error"`}},
		{"fine", "/api/v1/findings", 200, "application/json", []string{`"schema":"poolproof/v1"`, `"findings":[]`}},
		{"wrong", "/api/v1/findings", 200, "application/json", []string{`"rule":"live/differs"`, `"errors":2`, `"suppressed":1`}},
		{"none", "/api/v1/status", 503, "application/json", []string{`"error"`}},
		{"wrong", "/api/v1/status", 200, "application/json", []string{`"ready":true`, `"got":"50"`, `"want":"100"`, `"unknown":"2026-03-02T11:45:00Z"`, `"error":"the server answers 503"`}},
		{"wrong", "/api/v1/status?limit=1&offset=1", 200, "application/json", []string{`"totalPools":4`, `"pool":"orders-1"`}},
		{"wrong", "/api/v1/status?limit=x", 400, "application/json", []string{"whole numbers"}},
		{"wrong", "/api/v1/status?limit=10001", 400, "application/json", nil},
		{"wrong", "/debug/pprof/", 404, "text/plain", nil},
		{"wrong", "/metrics", 200, "text/plain", []string{`poolproof_findings{rule="live/differs",severity="error"} 1`, `poolproof_drifts{severity="error"} 2`, `poolproof_drifts{severity="info"} 0`, `poolproof_gateway_up{gateway="envoy edge-2"} 0`, `poolproof_gateway_up{gateway="haproxy edge-1"} 1`, `poolproof_sink_failing{sink="slack"} 1`, `poolproof_sink_queue_length{sink="slack"} 7`, `poolproof_scan_duration_seconds_count 1`, `poolproof_faults{kind="manifest"} 1`, "go_goroutines"}},
		{"none", "/metrics", 200, "text/plain", []string{"poolproof_last_completed_scan_timestamp_seconds 0"}},
	} {
		t.Run(c.state+c.path, func(t *testing.T) {
			w := newStage(t, states[c.state]).ask(nil, c.path)
			if w.Code != c.code || !strings.HasPrefix(w.Header().Get("Content-Type"), c.kind) {
				t.Errorf("status %d, type %q; want %d, %q", w.Code, w.Header().Get("Content-Type"), c.code, c.kind)
			}
			for _, part := range c.holds {
				if !strings.Contains(w.Body.String(), part) {
					t.Errorf("%q is missing in %.3000s", part, w.Body)
				}
			}
			for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Security-Policy": policy} {
				if w.Header().Get(name) != value {
					t.Errorf("%s is %q", name, w.Header().Get(name))
				}
			}
			if c.kind == "application/json" && !json.Valid(w.Body.Bytes()) {
				t.Errorf("no JSON: %.500s", w.Body)
			}
		})
	}
}

func TestWhoIsAnswered(t *testing.T) {
	st := newStage(t, fine(noon(), 1))
	for host, code := range map[string]int{"localhost:9627": 200, "LOCALHOST:9627": 200, "127.0.0.1:9627": 200, "[::1]:9627": 200, "watch.example.org": 200,
		"evil.example:9627": 421, "localhost": 421, "localhost:80": 421, "localhost.evil.example:9627": 421, "": 421} {
		for _, path := range []string{"/", "/api/v1/status", "/metrics", "/healthz"} {
			if w := st.ask(func(r *http.Request) { r.Host = host }, path); w.Code != code {
				t.Errorf("host %q, %s: %d, want %d", host, path, w.Code, code)
			}
		}
	}
	for method, code := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "PUT": 405, "DELETE": 405, "OPTIONS": 405, "TRACE": 405} {
		if w := st.ask(func(r *http.Request) { r.Method = method }, "/"); w.Code != code {
			t.Errorf("%s: %d, want %d", method, w.Code, code)
		}
	}
	if hosts(&net.TCPAddr{IP: net.IPv4zero, Port: 1}, "") != nil {
		t.Error("a server for the network asks for names of this machine")
	}
	if !hosts(&net.TCPAddr{IP: net.IPv6loopback, Port: 80}, "")["localhost"] {
		t.Error("port 80 stands in no Host header")
	}
}

func TestLanguageOfTheReader(t *testing.T) {
	st := newStage(t, fine(noon(), 1))
	for accept, lang := range map[string]string{"": "en", "zh-CN,zh;q=0.9,en;q=0.8": "zh", "en-US,zh;q=0.5": "en", "fr, zh-Hant": "zh", "de": "en", strings.Repeat("x,", 5000): "en"} {
		w := st.ask(func(r *http.Request) { r.Header.Set("Accept-Language", accept) }, "/")
		if !strings.Contains(w.Body.String(), `<html lang="`+lang+`">`) {
			t.Errorf("%.30q: not in %s", accept, lang)
		}
	}
}

func TestUnchangedPageIsNotSentAgain(t *testing.T) {
	st := newStage(t, fine(noon(), 1))
	tag := st.ask(nil, "/?part=main").Header().Get("ETag")
	again := func() int {
		return st.ask(func(r *http.Request) { r.Header.Set("If-None-Match", tag) }, "/?part=main").Code
	}
	if code := again(); code != http.StatusNotModified {
		t.Errorf("unchanged: %d", code)
	}
	st.snapshot.Store(wrong(noon()))
	if code := again(); code != http.StatusOK {
		t.Errorf("changed: %d", code)
	}
}

const evil = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'`{{.}}\u202e\x1b[31m\n javascript:alert(1)"

func TestHostileNamesStayText(t *testing.T) {
	s := wrong(noon())
	evilText := schema.Text{En: evil, Zh: evil}
	s.Root, s.Version, s.Manifest = evil, evil, evil
	s.Drifts[0].Event = alert.Event{Key: evil, Rule: evil, Pool: evil, Env: evil, Item: evil, Field: evil, Member: evil, Side: schema.Side(evil), Place: evil, Got: evil, Want: evil, Message: evilText, Hint: evilText}
	s.Pools[0].Name, s.Pools[0].Env = evil, evil
	s.Pools[0].Copies[0] = status.Copy{Side: schema.Side(evil), File: evil, Format: evil}
	s.Pools[0].Findings[0] = schema.Finding{Rule: evil, Pool: evil, Message: evilText, SuppressedBy: evil}
	s.Gateways[1].Name, s.Gateways[1].Reason = evil, evilText
	s.Gateways = append(s.Gateways, s.Gateways[1]) // twice the same name
	s.Sinks[1].Sink, s.Sinks[1].Err = evil, fmt.Errorf("%s", evil)
	s.Errors = append(s.Errors, status.Error{Name: "scan", Text: evilText})
	s.Watcher = status.Watcher{Polling: true, Why: evil}
	st := newStage(t, s)
	for _, path := range []string{"/", "/?lang=zh", "/?part=main", "/?q=" + strings.NewReplacer("\"", "%22", "<", "%3C", ">", "%3E").Replace("\"><script>alert(1)</script>")} {
		w := st.ask(nil, path)
		body := w.Body.String()
		for _, bad := range []string{"<script>", "<img", "\u202e", "\x1b"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s holds %q", path, bad)
			}
		}
		if !strings.Contains(body, "&lt;script&gt;alert(1)") {
			t.Errorf("%s does not show the names at all", path)
		}
		for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(href[1], "/") {
				t.Errorf("%s links to %q", path, href[1])
			}
		}
	}
	if w := st.ask(nil, "/metrics"); w.Code != 200 || !strings.Contains(w.Body.String(), `poolproof_findings{rule="other"`) || strings.Contains(w.Body.String(), "orders-") {
		t.Errorf("metrics: %d %.500s", w.Code, w.Body)
	}
	for _, path := range []string{"/api/v1/status", "/api/v1/findings"} {
		if w := st.ask(nil, path); !json.Valid(w.Body.Bytes()) || strings.ContainsAny(w.Body.String(), "\x1b\u202e") {
			t.Errorf("%s: not JSON, or with hidden characters", path)
		}
	}
}

func TestMetricsAreWellMade(t *testing.T) {
	for name, s := range map[string]*status.Snapshot{"none": nil, "wrong": wrong(noon())} {
		problems, err := promlint.New(newStage(t, s).ask(nil, "/metrics").Body).Lint()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Errorf("%s: %s: %s", name, p.Metric, p.Text)
		}
	}
}

// TestTroubleIsInTheMetrics: what alert rules watch for is there, also what is wrong with the watch itself.
func TestTroubleIsInTheMetrics(t *testing.T) {
	s := wrong(noon())
	s.Sinks[1].Failures = 9
	s.Errors = append(s.Errors, status.Error{Name: "sinks"})
	s.Totals.Panics = 2
	body := newStage(t, s).ask(nil, "/metrics").Body.String()
	for _, line := range []string{`poolproof_sink_failures_total{sink="slack"} 9`, `poolproof_sink_failures_total{sink="alertmanager"} 0`,
		`poolproof_faults{kind="sinks"} 1`, `poolproof_faults{kind="panic"} 0`, `poolproof_panics_total 2`} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
}

func TestTenThousandPoolsStayBounded(t *testing.T) {
	s := fine(noon(), 10000)
	for i := range 10000 {
		s.Drifts = append(s.Drifts, drift(noon(), fmt.Sprint("orders-", i), "live/differs", schema.Error, "1", "2"))
	}
	s.Pools[9999].Findings = []schema.Finding{{Rule: "live/differs", Severity: schema.Error, Pool: "orders-9999", Status: schema.New}}
	st := newStage(t, s)
	st.ask(nil, "/")
	start := time.Now()
	body := st.ask(nil, "/?part=main").Body.String()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("a page takes %v", took)
	}
	if len(body) > 200_000 || strings.Count(body, "<article") != driftsPerPage || strings.Count(body, `class="pool"`) != poolsPerPage {
		t.Errorf("%d bytes, %d drifts, %d pools", len(body), strings.Count(body, "<article"), strings.Count(body, `class="pool"`))
	}
	if _, first, _ := strings.Cut(body, `<details class="pool"`); !strings.Contains(first[:min(200, len(first))], "orders-9999") {
		t.Error("the pool that drifts is not the first one")
	}
	if last := st.ask(nil, "/?page=200").Body.String(); !strings.Contains(last, "9951–10000 of 10000") || strings.Contains(last, `rel="next" data-turn="pools"`) {
		t.Error("the last page is not the last one")
	}
	if found := st.ask(nil, "/?q=orders-7777").Body.String(); strings.Count(found, "<article") != 1 {
		t.Error("the search finds no single pool")
	}
	metrics := st.ask(nil, "/metrics").Body.String()
	if n := strings.Count(metrics, "\npoolproof_"); n > 200 {
		t.Errorf("%d series for ten thousand pools", n)
	}
}

func TestTakenPortIsAnErrorAtTheStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if s, err := Listen(t.Context(), l.Addr().String(), Options{}); err == nil {
		s.Close()
		t.Error("a taken port is taken again")
	} else if !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("the error does not name the address: %v", err)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Listen(ctx, "127.0.0.1:0", Options{Source: func() *status.Snapshot { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	answer, err := http.Get("http://" + s.Address().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(answer.Body); string(body) != "ok\n" {
		t.Errorf("it answers %q", body)
	}
	answer.Body.Close()
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
}

func TestPanicIsAnAnswerAndALogLine(t *testing.T) {
	var told string
	h := guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("odd\x1b") }), nil, func(m string) { told = m })
	st := &stage{handler: h}
	if w := st.ask(nil, "/"); w.Code != 500 || !strings.Contains(told, `odd\x1b`) {
		t.Errorf("%d, log %q", w.Code, told)
	}
}

// TestAllWordsAreThere looks for keys that templates use and nobody wrote, in both languages.
func TestAllWordsAreThere(t *testing.T) {
	source, err := assets.ReadFile("assets/page.gohtml")
	if err != nil {
		t.Fatal(err)
	}
	all := words()
	used := regexp.MustCompile(`(say|count) "([^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(used) < 30 {
		t.Fatalf("only %d words are used", len(used))
	}
	for _, u := range used {
		keys := []string{u[2]}
		if u[1] == "count" {
			keys = append(keys, u[2]+"/1")
		}
		for _, k := range keys {
			if w, ok := all[k]; !ok || w.En == "" || w.Zh == "" {
				t.Errorf("no words for %q", k)
			}
		}
	}
}
