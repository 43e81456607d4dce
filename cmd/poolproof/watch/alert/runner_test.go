package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// receiver stands for the network: it answers by host, and remembers what came and when.
type receiver struct {
	mu     sync.Mutex
	start  time.Time
	got    []string // "host at second: status"
	bodies map[string][]string
	answer func(host string, n int) *http.Response
}

func (r *receiver) RoundTrip(q *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	host := q.URL.Hostname()
	if r.bodies == nil {
		r.bodies = map[string][]string{}
	}
	response := r.answer(host, len(r.bodies[host]))
	r.bodies[host] = append(r.bodies[host], string(body))
	if response == nil {
		r.got = append(r.got, fmt.Sprintf("%s %.0fs down", host, time.Since(r.start).Seconds()))
		return nil, errors.New("connection refused")
	}
	r.got = append(r.got, fmt.Sprintf("%s %.0fs %d", host, time.Since(r.start).Seconds(), response.StatusCode))
	return response, nil
}

func answer(status int, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader("{}"))}
}

func webhooks(t *testing.T, urls ...string) []Sink {
	t.Helper()
	var a schema.Alerts
	for _, u := range urls {
		a.Sinks = append(a.Sinks, schema.AlertSink{Kind: "webhook", Settings: []schema.AlertSetting{{Key: "url", Values: []string{u}}}})
	}
	sinks, err := Open(a, config())
	if err != nil {
		t.Fatal(err)
	}
	return sinks
}

// TestRetry holds that a sink that fails is tried again, ever more slowly, that Retry-After counts, and that no other sink
// waits for it.
func TestRetry(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{start: time.Now(), answer: func(host string, n int) *http.Response {
			switch {
			case host == "good":
				return answer(200)
			case host == "busy" && n == 0:
				return answer(429, "Retry-After", "90")
			case host == "busy":
				return answer(204)
			case n < 4:
				return nil
			case n < 6:
				return answer(500)
			}
			return answer(200)
		}}
		var log []string
		var mu sync.Mutex
		runner, err := NewRunner(webhooks(t, "http://bad/", "http://good/", "http://busy/"), Options{Dir: dir, Client: &http.Client{Transport: r}, Log: func(sink string, err error) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, fmt.Sprint(sink, " ", err))
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { runner.Run(ctx); close(done) }()
		if err := runner.Tell([]Event{event(1)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		if err := runner.Tell([]Event{ended(event(1)), event(2)}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s := runner.Statuses(); s[0].Err == nil || s[0].Since.IsZero() || s[0].Waiting != 3 || s[1].Waiting != 0 || s[1].Sent != 3 || s[2].Waiting != 3 {
			t.Errorf("%+v", s)
		}
		time.Sleep(10 * time.Minute)
		cancel()
		<-done
		per := map[string][]string{}
		for _, line := range r.got {
			host, rest, _ := strings.Cut(line, " ")
			per[host] = append(per[host], rest)
		}
		if got := strings.Join(per["good"], ", "); got != "0s 200, 30s 200" {
			t.Error("good:", got)
		}
		if got := strings.Join(per["busy"], ", "); got != "0s 429, 90s 204" {
			t.Error("busy:", got)
		}
		if n := len(per["bad"]); n != 7 || !strings.HasSuffix(per["bad"][6], "200") || !strings.HasPrefix(per["bad"][0], "0s down") {
			t.Error("bad:", per["bad"])
		}
		var last view
		if err := json.Unmarshal([]byte(r.bodies["bad"][6]), &last); err != nil || last.Counts.Firing != 1 || last.Counts.Resolved != 1 {
			t.Errorf("%v, %+v", err, last.Counts)
		}
		for _, s := range runner.Statuses() {
			if s.Waiting != 0 || s.Err != nil || !s.Since.IsZero() {
				t.Errorf("%+v", s)
			}
		}
		if got := strings.Join(log, "; "); strings.Count(got, "webhook ") != 2 || !strings.Contains(got, "webhook connection refused") || !strings.Contains(got, "webhook-3 it answers with HTTP 429") {
			t.Error(got) // once down, once up
		}
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestRestart holds that what was told and not delivered is delivered by the next process, with the same key.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	sinks := webhooks(t, "http://h/")
	down := &receiver{answer: func(string, int) *http.Response { return nil }}
	first, err := NewRunner(sinks, Options{Dir: dir, Client: &http.Client{Transport: down}})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Tell([]Event{event(1)}); err != nil {
		t.Fatal(err)
	}
	if err := first.Flush(context.Background()); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("%v", err)
	}
	// It is killed here.
	up := &receiver{answer: func(string, int) *http.Response { return answer(200) }}
	second, err := NewRunner(sinks, Options{Dir: dir, Client: &http.Client{Transport: up}})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(up.bodies["h"]) != 1 || !strings.Contains(up.bodies["h"][0], Key("id1", noon)) || !strings.Contains(up.bodies["h"][0], event(1).Message.En) {
		t.Errorf("%q", up.bodies["h"])
	}
	third, err := NewRunner(sinks, Options{Dir: dir, Client: &http.Client{Transport: up}})
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Flush(context.Background()); err != nil || len(up.bodies["h"]) != 1 {
		t.Errorf("%v, %d messages", err, len(up.bodies["h"]))
	}
	for _, r := range []*Runner{first, second, third} {
		_ = r.Close()
	}
}

// TestResend holds that drift which lasts is told to Alertmanager again and again, of several Alertmanagers to those that
// answer, and that its end ends it.
func TestResend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{start: time.Now(), answer: func(host string, _ int) *http.Response {
			if host == "a" {
				return nil
			}
			return answer(200)
		}}
		sinks, err := Open(schema.Alerts{Sinks: []schema.AlertSink{{Kind: "alertmanager", Settings: []schema.AlertSetting{{Key: "url", Values: []string{"http://a", "http://b"}}}}}}, config())
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		active := []Event{event(1)}
		runner, err := NewRunner(sinks, Options{Client: &http.Client{Transport: r}, Active: func() []Event {
			mu.Lock()
			defer mu.Unlock()
			return active
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { runner.Run(ctx); close(done) }()
		if err := runner.Tell(active); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20*time.Minute + time.Second)
		var longest, before time.Duration
		synctest.Wait()
		r.mu.Lock()
		for _, line := range r.got {
			var host, state string
			var at float64
			if _, err := fmt.Sscanf(line, "%s %fs %s", &host, &at, &state); err != nil {
				t.Fatal(line)
			}
			if now := time.Duration(at * float64(time.Second)); host == "b" {
				longest, before = max(longest, now-before), now
			}
		}
		r.mu.Unlock()
		if longest > defaultResend+time.Second || before < 19*time.Minute {
			t.Errorf("%v without a word, the last after %v", longest, before)
		}
		cancel()
		<-done
		r.mu.Lock()
		defer r.mu.Unlock()
		var last []posted
		if err := json.Unmarshal([]byte(r.bodies["b"][len(r.bodies["b"])-1]), &last); err != nil || len(last) != 1 || !last[0].EndsAt.After(time.Now()) {
			t.Errorf("%v, %+v", err, last)
		}
	})
}

// TestGathered holds that a stream of events neither puts a message off for ever nor makes one message each.
func TestGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{start: time.Now(), answer: func(string, int) *http.Response { return answer(200) }}
		runner, err := NewRunner(webhooks(t, "http://h/"), Options{Client: &http.Client{Transport: r}, Gather: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { runner.Run(ctx); close(done) }()
		for n := range 100 {
			if err := runner.Tell([]Event{event(n)}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		cancel()
		<-done
		if len(r.got) < 4 || len(r.got) > 6 || runner.Statuses()[0].Sent != 100 {
			t.Errorf("%q, %+v", r.got, runner.Statuses())
		}
	})
}

// TestStdoutRunner writes lines to the standard output, and says where it cannot.
func TestStdoutRunner(t *testing.T) {
	sinks, err := Open(schema.Alerts{Sinks: []schema.AlertSink{{Kind: "stdout"}}}, config())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	runner, err := NewRunner(sinks, Options{Dir: t.TempDir(), Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	if err := errors.Join(runner.Tell([]Event{event(1), event(2)}), runner.Flush(context.Background())); err != nil || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%v, %q", err, out.String())
	}
	if failed := runner.Test(context.Background(), event(3))["stdout"]; failed != nil || !strings.Contains(out.String(), `"sample":true`) {
		t.Errorf("%v, %q", failed, out.String())
	}
}

// TestSecrets sends to real servers that fail in every way, and looks for the address in what is said.
func TestSecrets(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	for name, handle := range map[string]http.HandlerFunc{
		"refuses": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"redirects": func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, elsewhere.URL+q.URL.Path, http.StatusFound)
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"hangs": func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.Copy(io.Discard, q.Body)
			<-q.Context().Done()
		},
	} {
		s := httptest.NewServer(handle)
		file := filepath.Join(t.TempDir(), "url")
		if err := os.WriteFile(file, []byte(s.URL+"/"+token), 0o600); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		sinks, err := Open(schema.Alerts{Sinks: []schema.AlertSink{{Kind: "slack", Settings: []schema.AlertSetting{{Key: "urlFile", Values: []string{file}}}}}}, config())
		if err != nil {
			t.Fatal(err)
		}
		client := NewClient(300 * time.Millisecond)
		runner, err := NewRunner(sinks, Options{Dir: dir, Client: client})
		if err != nil {
			t.Fatal(err)
		}
		if err := runner.Tell([]Event{event(1)}); err != nil {
			t.Fatal(err)
		}
		err = runner.Flush(context.Background())
		said := fmt.Sprintf("%v %+v %v", err, runner.Statuses(), runner.Test(context.Background(), event(1)))
		if err == nil || strings.Contains(said, token) {
			t.Errorf("%s: %s", name, said)
		}
		spooled, _ := os.ReadFile(filepath.Join(dir, "slack", "log"))
		if len(spooled) == 0 || bytes.Contains(spooled, []byte(token)) {
			t.Errorf("%s: the queue holds %q", name, spooled)
		}
		_ = runner.Close()
		client.CloseIdleConnections()
		s.CloseClientConnections()
		s.Close()
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{"": -1, "x": -1, "7": 7 * time.Second, "-7": 0, "999999": maxLater, noon.Add(time.Minute).Format(http.TimeFormat): time.Minute, noon.Add(-time.Minute).Format(http.TimeFormat): 0} {
		d, ok := retryAfter(text, noon)
		if !ok {
			d = -1
		}
		if d != want {
			t.Errorf("%q: %v", text, d)
		}
	}
}
