package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/ledger"
)

// flaky is an Alertmanager, as it is spoken to, that refuses every third request: a receiver of everything, however much
// comes at once.
type flaky struct {
	mu sync.Mutex
	n  int
	// began holds, by what drifted, the moments at which it was said to have begun, which tell two alerts apart; ended are
	// those of which the end was told.
	began map[string]map[string]bool
	ended map[string]bool
	// hit, where it is set, is called once when something new arrives, before that is answered.
	hit  func()
	hits int
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n++; f.hit == nil && f.n%3 == 0 {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	var alerts []struct {
		Labels           map[string]string
		StartsAt, EndsAt time.Time
	}
	if json.Unmarshal(body, &alerts) != nil {
		return
	}
	if f.hit != nil {
		f.hit()
		f.hit = nil
		if f.hits++; f.hits%2 == 0 {
			panic(http.ErrAbortHandler) // the receiver died too: what it was sent is lost
		}
	}
	for _, a := range alerts {
		id := a.Labels["pool"] + " " + a.Labels["rule"] + " " + a.Labels["member"] + " " + a.Labels["side"]
		if f.began[id] == nil {
			f.began[id] = map[string]bool{}
		}
		f.began[id][a.StartsAt.String()] = true
		f.ended[id] = !a.EndsAt.After(time.Now())
	}
}

func (f *flaky) onHit(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hit = do
}

// lacks lists the drifts of pools 0 to n that were not told, or whose end was not, and those that were told as several.
func (f *flaky) lacks(n int, ended bool) (missing, twice []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range n {
		for _, what := range []string{" members/extra 10.0.%d.1:8081 app", " members/missing 10.0.%d.1:8080 app"} {
			id := killed(i) + fmt.Sprintf(what, i)
			if len(f.began[id]) == 0 || ended && !f.ended[id] {
				missing = append(missing, id)
			}
		}
	}
	for id, at := range f.began {
		if len(at) > 1 && strings.HasPrefix(id, "p") {
			twice = append(twice, id)
		}
	}
	return missing, twice
}

// killed is the name of a pool.
func killed(i int) string { return fmt.Sprintf("p%03d", i) }

// says waits until a file speaks of a pool. It returns how often that was seen: once, or never where it takes too long.
func says(file, pool string) int {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Microsecond) {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), `"`+pool+`"`) {
			return 1
		}
	}
	return 0
}

// TestWatchKilled kills a watch again and again while files change all the time and the sink fails now and then: at
// random moments, once the state speaks of a drift, once the queue does, and in the middle of a delivery. Every drift is told, and its end, none as two,
// and the state is readable after every kill. POOLPROOF_KILLS says how often it is killed.
func TestWatchKilled(t *testing.T) {
	kills := 20
	if n := os.Getenv("POOLPROOF_KILLS"); n != "" {
		var err error
		if kills, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Parallel()
	}
	program := buildProgram(t)
	sink := &flaky{began: map[string]map[string]bool{}, ended: map[string]bool{}}
	server := httptest.NewServer(sink)
	defer server.Close()
	root, kept := t.TempDir(), t.TempDir()
	put(t, root, "poolproof.yaml", fmt.Sprintf("sources:\n  - {side: app, format: poolproof, files: [\"app/*.yaml\"]}\n  - {side: gateway, format: haproxy, files: [\"gw/*.cfg\"]}\nalerts:\n  alertmanager: {url: \"%s\", resend: 1h}\n", server.URL)) // what is lost stays lost
	pool := func(i, port int) {
		text := fmt.Sprintf("pools:\n  %s:\n    members:\n      - {address: 10.0.%d.1, port: %d}\n", killed(i), i, port)
		put(t, root, ".new", text) // half of a file is another story
		if err := os.Rename(filepath.Join(root, ".new"), filepath.Join(root, "app", killed(i)+".yaml")); err != nil {
			t.Fatal(err)
		}
	}
	put(t, root, "app/noise.yaml", "", "gw/noise.cfg", "backend noise\n    server a 10.9.9.9:8080\n")
	for i := range kills {
		put(t, root, "gw/"+killed(i)+".cfg", fmt.Sprintf("backend %s\n    server a 10.0.%d.1:8080\n", killed(i), i))
		pool(i, 8080)
	}
	done, quiet := make(chan struct{}), make(chan struct{})
	go func() { // a stream of changes that are none of those that count, and that are saved in the worst way
		defer close(quiet)
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-time.After(30 * time.Millisecond):
				text := fmt.Sprintf("pools: {noise: {members: [{address: 10.9.9.9, port: %d}]}}\n", 8080+n%2)
				_ = os.WriteFile(filepath.Join(root, "app/noise.yaml"), []byte(text), 0o644)
			}
		}
	}()
	stop := sync.OnceFunc(func() { close(done); <-quiet })
	defer stop()

	random := rand.New(rand.NewPCG(5, 5))
	some := func(most time.Duration) { time.Sleep(time.Duration(random.Int64N(int64(most)))) }
	noted, queued, delivering := 0, 0, 0
	for i := range kills {
		w := startKilled(t, program, kept, root)
		some(250 * time.Millisecond)
		pool(i, 8081)
		switch i % 4 {
		case 0:
			some(800 * time.Millisecond)
		case 1:
			noted += says(filepath.Join(kept, "drift.json"), killed(i))
		case 2:
			queued += says(filepath.Join(kept, "queues/alertmanager/log"), killed(i))
		case 3:
			hit := make(chan struct{})
			sink.onHit(func() { _ = w.cmd.Process.Kill(); close(hit) })
			select {
			case <-hit:
				delivering++
			case <-time.After(2 * time.Second): // it was refused before, and the next attempt is far off
				sink.onHit(nil)
			}
		}
		w.dies(i, kept)
	}
	if least := kills / 10; noted < least || queued < least || delivering < least {
		t.Errorf("of %d kills, only %d, %d and %d came at the moments that hurt", kills, noted, queued, delivering)
	}
	stop()
	w := startKilled(t, program, kept, root)
	w.until("every drift told", func() bool { missing, _ := sink.lacks(kills, false); return len(missing) == 0 })
	for i := range kills {
		pool(i, 8080)
	}
	w.until("every end told", func() bool { missing, _ := sink.lacks(kills, true); return len(missing) == 0 })
	w.dies(kills, kept)
	if _, twice := sink.lacks(kills, true); len(twice) > 0 {
		t.Errorf("told as two: %q", twice)
	}
	t.Logf("%d kills, %d of them once the state spoke of the drift, %d once the queue did, %d during a delivery; the sink was asked %d times", kills, noted, queued, delivering, sink.n)
}

// startKilled starts a watch without a page, whose end is a kill.
func startKilled(t *testing.T, program, kept, root string) *running {
	t.Helper()
	w := &running{t: t, root: root, out: new(shared), log: new(shared), cmd: exec.Command(program, "watch", "--listen", "", "--state", kept, "--debounce", "20ms", root)}
	w.cmd.Stderr = w.log
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.kill()
		if t.Failed() {
			t.Logf("what the watch said: %s", w.log)
		}
	})
	return w
}

// dies kills it, and looks at what it leaves behind.
func (w *running) dies(i int, kept string) {
	w.t.Helper()
	w.kill()
	for _, word := range []string{"could not be read", "defect", "panic", "cannot be"} {
		if strings.Contains(w.log.String(), word) {
			w.t.Fatalf("kill %d: %s", i, w.log)
		}
	}
	text, err := os.ReadFile(filepath.Join(kept, "drift.json"))
	if err != nil {
		return // killed before there was one
	}
	copied := filepath.Join(w.t.TempDir(), "drift.json") // reading may mend it
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		w.t.Fatal(err)
	}
	if _, err := ledger.Open(copied, disk.Real()); err != nil {
		w.t.Fatalf("kill %d left a state behind that nobody can read: %v", i, err)
	}
}
