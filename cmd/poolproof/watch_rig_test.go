package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long tests wait for what must come. It is no bar: what is fast is counted in polls.
const patience = time.Minute

// running is a poolproof watch in a process of its own.
type running struct {
	t        *testing.T
	root     string
	url      string // of its status page
	cmd      *exec.Cmd
	out, log *shared
}

// watch starts the program on a tree, with fast reactions and a state of its own unless args say otherwise, and waits
// until it has looked once. It ends with the test.
func watch(t *testing.T, root string, args ...string) *running {
	t.Helper()
	program, err := exec.LookPath("poolproof") // this test binary, which is poolproof under that name
	if err != nil {
		t.Fatal(err)
	}
	return watchWith(t, program, root, args...)
}

func watchWith(t *testing.T, program, root string, args ...string) *running {
	t.Helper()
	return watchArgs(t, program, root, append([]string{"--listen", "127.0.0.1:0", "--state", t.TempDir(), "--debounce", "50ms", root}, args...)...)
}

func watchArgs(t *testing.T, program, root string, args ...string) *running {
	t.Helper()
	w := &running{t: t, root: root, out: new(shared), log: new(shared)}
	w.cmd = exec.Command(program, append([]string{"watch"}, args...)...)
	w.cmd.Stdout, w.cmd.Stderr = w.out, w.log
	w.cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "GORACE=halt_on_error=1")
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.kill()
		if t.Failed() {
			t.Logf("what the watch said:\n%s", w.log)
		}
	})
	page := regexp.MustCompile(`status page: (http://\S+)/`)
	w.until("the address of the status page", func() bool {
		if m := page.FindStringSubmatch(w.log.String()); m != nil {
			w.url = m[1]
		}
		return w.url != ""
	})
	w.until("the first look", func() bool { return w.status().Ready })
	return w
}

// until waits for what must come.
func (w *running) until(what string, ok func() bool) { w.t.Helper(); until(w.t, what, ok) }

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come within %s: %s", patience, what)
		}
	}
}

// kill ends the process in the hardest way. It may be called again.
func (w *running) kill() {
	if w.cmd.ProcessState == nil {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
	}
}

// again has it look at everything again.
func (w *running) again() {
	w.t.Helper()
	full := w.status().Totals.FullScans
	_ = w.cmd.Process.Signal(syscall.SIGHUP)
	w.until("a look at everything", func() bool { return w.status().Totals.FullScans > full })
}

// sinks waits until the sinks do so. The page shows it within ten seconds, or when something else happens: the manifest is
// saved as it is.
func (w *running) sinks(what string, ok func(s state) bool) {
	w.t.Helper()
	file := filepath.Join(w.root, "poolproof.yaml")
	w.until(what, func() bool {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		s := w.status()
		return len(s.Sinks) > 0 && ok(s)
	})
}

// end ends it as an operator does. That is an end without fault.
func (w *running) end() {
	w.t.Helper()
	_ = w.cmd.Process.Signal(syscall.SIGTERM)
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("ended by SIGTERM: %v", err)
	}
}

// get asks the status server; nil where it does not answer.
func (w *running) get(path string) []byte {
	response, err := http.Get(w.url + path)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil
	}
	return body
}

// told is one event as sinks tell it.
type told struct{ Key, Status, Rule, Severity, Pool, Field, Member, Side, Place, Got, Want string }

// found is one finding of the server.
type found struct {
	Rule, Pool, Field, Member, Got, Want string
	At                                   struct{ Side, File string }
}

// state is what the server says of the watch.
type state struct {
	Ready  bool
	Scan   struct{ DurationSeconds float64 }
	Totals struct{ Cycles, FullScans, FailedScans, Began, Ended, Panics uint64 }
	Errors []struct{ Name, Text string }
	Drifts []struct {
		told
		Since      time.Time
		Told, Held bool
	}
	Gateways []struct {
		Name, Unknown, Reason string
		Asks, Failed          uint64
	}
	Sinks []struct {
		Name    string
		Waiting int
		Sent    uint64
		Error   string
	}
}

func (w *running) status() (s state) { _ = json.Unmarshal(w.get("/api/v1/status"), &s); return s }

// findings are those of /api/v1/findings whose rule starts with prefix.
func (w *running) findings(prefix string) (list []found) {
	var report struct{ Findings []found }
	_ = json.Unmarshal(w.get("/api/v1/findings"), &report)
	for _, f := range report.Findings {
		if strings.HasPrefix(f.Rule, prefix) {
			list = append(list, f)
		}
	}
	return list
}

// events are what was told on standard output.
func (w *running) events() (list []told) {
	for s := bufio.NewScanner(strings.NewReader(w.out.String())); s.Scan(); {
		var e told
		if json.Unmarshal(s.Bytes(), &e) == nil {
			list = append(list, e)
		}
	}
	return list
}

// metric is the value of a metric without labels.
func (w *running) metric(name string) float64 {
	w.t.Helper()
	for s := bufio.NewScanner(bytes.NewReader(w.get("/metrics"))); s.Scan(); {
		if value, ok := strings.CutPrefix(s.Text(), name+" "); ok {
			if v, err := strconv.ParseFloat(value, 64); err == nil {
				return v
			}
		}
	}
	w.t.Fatalf("there is no metric %s", name)
	return 0
}

// inbox is a receiver of a webhook.
type inbox struct {
	*httptest.Server
	mu   sync.Mutex
	list []told
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	b := new(inbox)
	b.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var message struct{ Alerts []told }
		if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
			t.Errorf("a message that is no JSON: %v", err)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.list = append(b.list, message.Alerts...)
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *inbox) events() []told {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]told(nil), b.list...)
}

// shared is a buffer that one writes while others read.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// put writes the files of a tree, name after name and text.
func put(t *testing.T, root string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		file := filepath.Join(root, files[i])
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// command runs a program that must not fail.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v (make tools installs what is missing)\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// short is an event or finding in one line.
func (e told) short() string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s want=%s got=%s", e.Rule, e.Pool, e.Member, e.Field, e.Want, e.Got)), " ")
}

func (f found) short() string {
	return told{Rule: f.Rule, Pool: f.Pool, Member: f.Member, Field: f.Field, Want: f.Want, Got: f.Got}.short()
}
