package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// buildProgram builds poolproof as it is shipped, for tests whose figures must not be those of a test binary.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "poolproof")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// taken is what a watch takes at one moment.
type taken struct {
	at                      time.Duration
	memory, files, routines float64
}

// ends counts how often the beginning and the end of each pool's drift were told.
type ends struct {
	mu    sync.Mutex
	began map[string]int
	ended map[string]int
	at    map[string]time.Time // of the first beginning
}

func (e *ends) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var message struct{ Alerts []told }
	_ = json.NewDecoder(r.Body).Decode(&message)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range message.Alerts {
		if a.Rule != "members/missing" {
			continue
		}
		if a.Status == "firing" {
			if e.began[a.Pool]++; e.began[a.Pool] == 1 {
				e.at[a.Pool] = time.Now()
			}
		} else {
			e.ended[a.Pool]++
		}
	}
}

// lacks lists the pools of which another number of beginnings or ends was told than there were.
func (e *ends) lacks(s *soak) (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, n := range s.drifts {
		name := fmt.Sprintf("p%05d", i)
		if e.began[name] != n || e.ended[name] != s.mends[i] {
			list = append(list, fmt.Sprintf("%s: %d and %d told, of %d and %d", name, e.began[name], e.ended[name], n, s.mends[i]))
		}
	}
	return list
}

// TestWatchSoak lets a watch of many pools see one change a second, by several ways of saving, while a gateway is polled
// and the page is read: every drift is told, and its end, and memory, file descriptors and goroutines stay flat.
// POOLPROOF_SOAK says how long ("30m", with 10,000 pools); else it is short and small.
func TestWatchSoak(t *testing.T) {
	lasting, pools, atOnce, every, look := 10*time.Second, 1000, 6, "2s", 400*time.Millisecond
	long := os.Getenv("POOLPROOF_SOAK")
	if long != "" {
		d, err := time.ParseDuration(long)
		if err != nil {
			t.Fatal(err)
		}
		lasting, pools, atOnce, every, look = d, 10_000, 30, "1m", 5*time.Second
	} else {
		t.Parallel()
	}
	heard := &ends{began: map[string]int{}, ended: map[string]int{}, at: map[string]time.Time{}}
	sink := httptest.NewServer(heard)
	defer sink.Close()
	p := livetest.StartHAProxy(t, "backend live\n    server a1 127.0.0.1:%[1]d\n")
	s := &soak{t: t, root: t.TempDir(), random: rand.New(rand.NewPCG(7, 7)), drifts: map[int]int{}, mends: map[int]int{}, saved: map[string]time.Time{}}
	put(t, s.root, "live/haproxy.cfg", p.Config, "poolproof.yaml", s.manifest(p.Socket, sink.URL))
	for i := range pools {
		s.app(i, 8080)
		put(t, s.root, fmt.Sprintf("pools/p%05d/gw.cfg", i), fmt.Sprintf("backend p%05d\n    server a 10.%d.%d.1:8080\n    server b 10.%d.%d.2:8080\n", i, i/250, i%250, i/250, i%250))
	}
	w := watchWith(t, buildProgram(t), s.root, "--every", every)
	w.until("all pools", func() bool { return w.metric("poolproof_pools") >= float64(pools) })
	var seen []taken
	var slow []float64
	start := time.Now()
	change, sample := time.NewTicker(time.Second/2), time.NewTicker(look) // two steps a second: one pool drifts, another is mended
	defer change.Stop()
	defer sample.Stop()
	for n, wrong := 0, []int(nil); time.Since(start) < lasting; {
		select {
		case <-change.C:
			if n++; n%2 == 1 {
				i := s.random.IntN(pools)
				if !slices.Contains(wrong, i) && s.mends[i] == 0 { // one that was just mended might be seen as never mended
					s.drifts[i]++
					wrong = append(wrong, i)
					s.save(n, i, 8081)
					s.saved[fmt.Sprintf("p%05d", i)] = time.Now()
				}
			} else if len(wrong) >= atOnce { // some pools are wrong at any moment, each for as many seconds
				s.save(n, wrong[0], 8080)
				s.mends[wrong[0]]++
				wrong = wrong[1:]
			}
			if n%120 == 0 { // the manifest is saved as it is, and a folder comes and goes
				put(t, s.root, "poolproof.yaml", s.manifest(p.Socket, sink.URL), "pools/new/app.yaml", "pools: {new: {members: [{address: 10.9.9.9, port: 1}]}}\n")
				time.Sleep(100 * time.Millisecond)
				_ = os.RemoveAll(filepath.Join(s.root, "pools/new"))
			}
		case <-sample.C:
			w.get("/")
			slow = append(slow, w.status().Scan.DurationSeconds)
			seen = append(seen, taken{time.Since(start), w.metric("process_resident_memory_bytes"), w.metric("process_open_fds"), w.metric("go_goroutines")})
		}
	}
	for end := time.Now().Add(patience); len(heard.lacks(s)) > 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
	}
	if lacks := heard.lacks(s); len(lacks) > 0 || len(s.drifts) < 5 || len(s.mends) < 1 {
		t.Errorf("of %d drifts: %q\n%s", len(s.drifts), lacks, w.get("/api/v1/status?limit=20"))
	}
	if st := w.status(); st.Totals.FailedScans+st.Totals.Panics > 0 || len(st.Errors) > 0 || st.Gateways[0].Failed > 0 {
		t.Errorf("%+v", st)
	}
	slices.Sort(slow)
	last := w.status()
	t.Logf("%d pools, %d drifts, %d mended, %d looks, %d of them at everything; a look took %.1f ms in the median, %.1f ms at the 99th percentile", pools, len(s.drifts), len(s.mends),
		last.Totals.Cycles, last.Totals.FullScans, 1000*slow[len(slow)/2], 1000*slow[len(slow)*99/100])
	var late []float64
	for pool, at := range heard.at {
		late = append(late, at.Sub(s.saved[pool]).Seconds())
	}
	slices.Sort(late)
	t.Logf("from a save to the webhook (half a second of which a sink waits for more): %.2f s in the median, %.2f s at the 99th percentile, %.2f s at most", late[len(late)/2],
		late[len(late)*99/100], late[len(late)-1])
	flat(t, seen)
	w.end()
}

// soak is the tree of a soak.
type soak struct {
	t      *testing.T
	root   string
	random *rand.Rand
	// drifts and mends count, by the number of the pool, how often it was made to differ, and to agree again.
	drifts, mends map[int]int
	saved         map[string]time.Time // when a pool was made to differ
}

func (s *soak) manifest(socket, url string) string {
	return fmt.Sprintf(`sources:
  - {side: app, format: poolproof, files: ["pools/*/app.yaml"]}
  - {side: gateway, format: haproxy, files: ["pools/*/gw.cfg"]}
  - {side: gateway, format: haproxy, files: [live/haproxy.cfg]}
live: [{gateway: haproxy, address: "unix:%s", pools: [live], every: 1s}]
alerts: {webhook: {url: "%s"}}
`, socket, url)
}

func (s *soak) text(i, port int) string {
	return fmt.Sprintf("pools:\n  p%05d:\n    members:\n      - {address: 10.%d.%d.1, port: %d}\n      - {address: 10.%d.%d.2, port: 8080}\n", i, i/250, i%250, port, i/250, i%250)
}

func (s *soak) app(i, port int) {
	s.t.Helper()
	put(s.t, s.root, fmt.Sprintf("pools/p%05d/app.yaml", i), s.text(i, port))
}

// save saves a pool in place, or by a file that takes the place of the old one.
func (s *soak) save(n, i, port int) {
	s.t.Helper()
	if n%3 == 0 {
		s.app(i, port)
		return
	}
	dir := filepath.Join(s.root, fmt.Sprintf("pools/p%05d", i))
	put(s.t, dir, ".app.yaml.tmp", s.text(i, port))
	if err := os.Rename(filepath.Join(dir, ".app.yaml.tmp"), filepath.Join(dir, "app.yaml")); err != nil {
		s.t.Fatal(err)
	}
}

// flat holds that what a watch takes does not grow: the end of a run takes no more than its middle, give or take what a
// garbage collector leaves lying about.
func flat(t *testing.T, seen []taken) {
	t.Helper()
	if len(seen) < 12 {
		t.Fatalf("%d samples tell nothing", len(seen))
	}
	third := len(seen) / 3
	parts := [][]taken{seen[:third], seen[third : 2*third], seen[2*third:]}
	most := func(part []taken, of func(taken) float64) float64 {
		var list []float64
		for _, u := range part {
			list = append(list, of(u))
		}
		return slices.Max(list)
	}
	for _, kind := range []struct {
		name  string
		of    func(taken) float64
		unit  float64
		slack float64 // in parts of the middle, and in units besides
		more  float64
	}{
		{"MiB of memory", func(u taken) float64 { return u.memory }, 1 << 20, 0.15, 10},
		{"file descriptors", func(u taken) float64 { return u.files }, 1, 0, 4},
		{"goroutines", func(u taken) float64 { return u.routines }, 1, 0, 6},
	} {
		start, middle, end := most(parts[0], kind.of)/kind.unit, most(parts[1], kind.of)/kind.unit, most(parts[2], kind.of)/kind.unit
		t.Logf("%s, at most, in each third of %s: %.0f, %.0f, %.0f", kind.name, seen[len(seen)-1].at.Round(time.Second), start, middle, end)
		if end > middle*(1+kind.slack)+kind.more {
			t.Errorf("%s grow", kind.name)
		}
	}
}
