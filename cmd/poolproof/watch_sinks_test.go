package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// ended runs the program to its end.
func ended(t *testing.T, env []string, args ...string) (out, log string, code int) {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.Command("poolproof", args...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C.UTF-8", "XDG_STATE_HOME="+t.TempDir()), env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// receiver is an HTTP server that takes messages of every kind of sink, or answers as it is told.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	at     []time.Time
	answer http.HandlerFunc // what is said instead of taking the message; nil takes it
}

func newReceiver(t *testing.T) *receiver { return newReceiverAt(t, "127.0.0.1:0") }

func newReceiverAt(t *testing.T, address string) *receiver {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	r := new(receiver)
	r.Server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.bodies, r.at = append(r.bodies, string(body)), append(r.at, time.Now())
		answer := r.answer
		r.mu.Unlock()
		if answer != nil {
			answer(w, q)
			return
		}
		fmt.Fprint(w, `{"code":0,"errcode":0,"msg":"ok"}`)
	})}}
	r.Start()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) says(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) got() ([]string, []time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies), slices.Clone(r.at)
}

// allSinks names every kind of sink, each with a token in its address.
const allSinks = `
alerts:
  stdout: {}
  alertmanager: {urlFile: "env:POOLPROOF_URL"}
  webhook: {urlFile: "env:POOLPROOF_URL"}
  slack: {urlFile: "env:POOLPROOF_URL"}
  feishu: {urlFile: "env:POOLPROOF_URL", secretFile: "env:POOLPROOF_KEY"}
  dingtalk: {urlFile: "env:POOLPROOF_URL", secretFile: "env:POOLPROOF_KEY"}
  wecom: {urlFile: "env:POOLPROOF_URL"}
`

// TestAlertsTest sends a sample to every kind of sink, and says of each what came of it.
func TestAlertsTest(t *testing.T) {
	t.Parallel()
	remote := []string{"alertmanager", "webhook", "slack", "feishu", "dingtalk", "wecom"}
	root := t.TempDir()
	put(t, root, "app.yaml", "pools: {a: {members: [{address: 10.0.0.1, port: 80}]}}\n", "poolproof.yaml", "sources: [{side: app, format: poolproof, files: [app.yaml]}]"+allSinks)
	const secret = "a-very-secret-token"
	to := func(url string) []string {
		return []string{"POOLPROOF_URL=" + url + "/hook?access_token=" + secret, "POOLPROOF_KEY=" + secret + "-key"}
	}
	said := func(t *testing.T, out, word string) {
		t.Helper()
		for _, kind := range remote {
			if !slices.ContainsFunc(strings.Split(out, "\n"), func(line string) bool { return strings.HasPrefix(line, kind+": ") && strings.Contains(line, word) }) {
				t.Errorf("%s: no word of %q:\n%s", kind, word, out)
			}
		}
		if !strings.Contains(out, "stdout: the sample was accepted") || !strings.Contains(out, `"sample":true`) {
			t.Errorf("standard output was held back by others:\n%s", out)
		}
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		word   string
		code   int
	}{
		{"taken", nil, "the sample was accepted", 0},
		{"too many requests", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, secret)
		}, "failed: it answers with HTTP 429; it wants to be left alone for 2m0s", 1},
		{"an error", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, secret, http.StatusInternalServerError) }, "failed: it answers with HTTP 500", 1},
		{"a redirect", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/"+secret)
			w.WriteHeader(http.StatusFound)
		}, "failed: it answers with HTTP 302", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReceiver(t)
			r.says(tt.answer)
			out, log, code := ended(t, to(r.URL), "alerts", "test", root)
			said(t, out, tt.word)
			if code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", code, tt.code, log)
			}
			if strings.Contains(out+log, secret) {
				t.Errorf("a secret is shown:\n%s%s", out, log)
			}
			bodies, _ := r.got()
			if len(bodies) != len(remote) {
				t.Errorf("%d messages", len(bodies))
			}
			for _, b := range bodies {
				if !json.Valid([]byte(b)) || !strings.Contains(b, "this is a test") {
					t.Errorf("a message that is no test: %s", b)
				}
			}
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		out, log, code := ended(t, to(fmt.Sprintf("http://127.0.0.1:%d", livetest.FreePorts(t, 1)[0])), "alerts", "test", root)
		said(t, out, "failed: ")
		said(t, out, "refused")
		if code != 1 || strings.Contains(out+log, secret) {
			t.Errorf("exit code %d\n%s%s", code, out, log)
		}
	})
	t.Run("a chat that refuses", func(t *testing.T) {
		r := newReceiver(t)
		r.says(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"code":19024,"errcode":310000,"errmsg":"keywords not in content"}`)
		})
		out, _, code := ended(t, to(r.URL), "alerts", "test", root)
		for _, line := range []string{"feishu: failed: it refuses the message with code 19024", "dingtalk: failed: it refuses the message with errcode 310000", "wecom: failed: it refuses the message with errcode 310000"} {
			if !strings.Contains(out, line) {
				t.Errorf("not said: %s\n%s", line, out)
			}
		}
		if code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("in Chinese", func(t *testing.T) {
		r := newReceiver(t)
		out, _, code := ended(t, to(r.URL), "alerts", "test", "--lang", "zh", root)
		if bodies, _ := r.got(); code != 0 || !strings.Contains(out, "slack：示例消息已被接受") || !strings.Contains(strings.Join(bodies, ""), "这是一条测试消息") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	})
	t.Run("no address", func(t *testing.T) {
		if out, log, code := ended(t, nil, "alerts", "test", root); code == 0 || !strings.Contains(out+log, "POOLPROOF_URL") {
			t.Errorf("exit code %d\n%s%s", code, out, log)
		}
	})
}

// TestWatchFailingSinks has one receiver that asks to be left alone, one that is not there, and one that is well: each is
// told once it can be, and the well one at once.
func TestWatchFailingSinks(t *testing.T) {
	t.Parallel()
	busy, well := newReceiver(t), newReceiver(t)
	busy.says(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	address := fmt.Sprintf("127.0.0.1:%d", livetest.FreePorts(t, 1)[0])
	root := t.TempDir()
	drifting(t, root, fmt.Sprintf(`{webhook: [{url: "%s"}, {url: "http://%s"}, {url: "%s"}]}`, busy.URL, address, well.URL), 8080)
	w := watch(t, root)
	drift(t, root, 8081)
	w.until("the well one told", func() bool { b, _ := well.got(); return len(b) == 1 })
	w.until("the busy one asked", func() bool { b, _ := busy.got(); return len(b) == 1 })
	busy.says(nil)
	w.sinks("two that wait, and are named", func(s state) bool {
		return len(s.Sinks) == 3 && s.Sinks[0].Waiting == 2 && s.Sinks[1].Waiting == 2 && s.Sinks[2].Waiting == 0 && s.Sinks[0].Error != "" && s.Sinks[1].Error != ""
	})
	late := newReceiverAt(t, address)
	w.until("the late one told", func() bool { b, _ := late.got(); return len(b) == 1 })
	w.until("the busy one told", func() bool { b, _ := busy.got(); return len(b) == 2 })
	if _, at := busy.got(); at[1].Sub(at[0]) < 3*time.Second {
		t.Errorf("the one that asked for three seconds was asked again after %s", at[1].Sub(at[0]))
	}
	w.sinks("nothing waits", func(s state) bool {
		return s.Sinks[0].Waiting+s.Sinks[1].Waiting == 0 && s.Sinks[0].Error == "" && s.Sinks[1].Error == ""
	})
	a, _ := well.got()
	b, _ := busy.got()
	c, _ := late.got()
	if keys(a[0]) != keys(b[1]) || keys(a[0]) != keys(c[0]) || strings.Count(keys(a[0]), " ") != 2 {
		t.Errorf("told under several keys: %s, %s, %s", keys(a[0]), keys(b[1]), keys(c[0]))
	}
	w.end()
}

// keys are the keys of a webhook's message, each with a space behind it.
func keys(body string) (list string) {
	var message struct{ Alerts []told }
	_ = json.Unmarshal([]byte(body), &message)
	for _, a := range message.Alerts {
		list += a.Key + " "
	}
	return list
}
