package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// received is what a webhook got, by what drifted.
type received struct {
	mu   sync.Mutex
	keys map[string]map[string]bool
	n    int
}

// ServeHTTP refuses every third request.
func (r *received) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n++; r.n%3 == 0 {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	var got struct {
		Alerts []struct{ Key, Status, Rule, Pool, Field, Member, Place string }
	}
	if json.Unmarshal(body, &got) != nil {
		return
	}
	for _, a := range got.Alerts {
		file, _, _ := strings.Cut(a.Place, ":")
		id := strings.Join([]string{a.Rule, a.Pool, a.Field, a.Member, file}, " ")
		if r.keys[id] == nil {
			r.keys[id] = map[string]bool{}
		}
		r.keys[id][a.Key] = true
	}
}

// pools returns which pools were told of, and what was told under two keys.
func (r *received) pools() (pools map[string]bool, twice []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pools = map[string]bool{}
	for id, keys := range r.keys {
		pools[strings.Fields(id)[1]] = true
		if len(keys) > 1 {
			twice = append(twice, id)
		}
	}
	return pools, twice
}

// TestWatchKilled kills a watch again and again while files drift one after the other and the sink fails now and then:
// every drift is told, none under two keys, and the state is readable after every kill. POOLPROOF_KILLS says how often.
func TestWatchKilled(t *testing.T) {
	kills := 20
	if n := os.Getenv("POOLPROOF_KILLS"); n != "" {
		fmt.Sscan(n, &kills)
	}
	binary := filepath.Join(t.TempDir(), "poolproof")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sink := &received{keys: map[string]map[string]bool{}}
	server := httptest.NewServer(sink)
	defer server.Close()
	root, state := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("poolproof.yaml", fmt.Sprintf("sources:\n  - {side: app, format: poolproof, files: [\"app/*.yaml\"]}\n  - {side: gateway, format: haproxy, files: [\"gw/*.cfg\"]}\nalerts:\n  webhook: {url: \"%s\"}\n", server.URL))
	pool := func(i, port int) {
		write(fmt.Sprintf("app/p%03d.yaml", i), fmt.Sprintf("pools:\n  p%03d:\n    members:\n      - {address: 10.0.%d.1, port: %d}\n", i, i, port))
	}
	total := kills
	for i := range total {
		pool(i, 8080)
		write(fmt.Sprintf("gw/p%03d.cfg", i), fmt.Sprintf("backend p%03d\n    server a 10.0.%d.1:8080\n", i, i))
	}
	start := func() (*exec.Cmd, *bytes.Buffer) {
		var log bytes.Buffer
		cmd := exec.Command(binary, "watch", "--listen", "", "--state", state, "--debounce", "20ms", root)
		cmd.Stderr = &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &log
	}
	random := rand.New(rand.NewPCG(5, 5))
	for i := range total {
		cmd, log := start()
		time.Sleep(time.Duration(random.IntN(250)) * time.Millisecond)
		pool(i, 8081)
		time.Sleep(time.Duration(random.IntN(800)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if strings.Contains(log.String(), "could not be read") {
			t.Fatalf("kill %d: %s", i, log.String())
		}
	}
	cmd, log := start()
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for range 300 {
		if pools, _ := sink.pools(); len(pools) >= total {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	pools, twice := sink.pools()
	for i := range total {
		if name := fmt.Sprintf("p%03d", i); !pools[name] {
			t.Errorf("%s was never told", name)
		}
	}
	if len(twice) > 0 {
		t.Errorf("told under two keys: %q", twice)
	}
	if t.Failed() {
		t.Log(log.String())
	}
}
