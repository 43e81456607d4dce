package daemon

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// world is a tree, a disk, a clock, receivers of alerts and a daemon among them. In a bubble of synctest, with a watcher
// by hand, nothing in it takes real time.
type world struct {
	*testing.T
	root, state string
	ahead       atomic.Int64 // of the clock on the wall, in ns
	disk        *moody
	net         *receivers
	hand        *hand // nil: real files are watched
	read        func(path string) error
	options     Options

	mu  sync.Mutex
	log []string

	d    *Daemon
	stop func()
}

// sourcesText is a manifest without alerts. Pools stand on two sides.
const sourcesText = `sources:
  - {side: app, format: poolproof, files: ["app/*.yaml"]}
  - {side: gateway, format: haproxy, files: ["gw/*.cfg"]}
`

// newWorld makes a world with a few pools that agree. alerts is the rest of the manifest.
func newWorld(t *testing.T, alerts string) *world {
	t.Helper()
	w := &world{T: t, root: t.TempDir(), state: t.TempDir(), disk: &moody{}, net: &receivers{start: time.Now()}, hand: newHand()}
	w.write("poolproof.yaml", sourcesText+alerts)
	for _, pool := range []string{"a", "b", "c"} {
		w.write("app/"+pool+".yaml", fmt.Sprintf("pools:\n  %s:\n    members:\n      - {address: 10.0.0.1, port: 80}\n", pool))
		w.write("gw/"+pool+".cfg", gateway(pool, 80))
	}
	w.options = Options{Open: w.open, Rules: rules.All(), RuleNames: []string{"members/missing"}, Env: w.env, State: w.state, AlertOn: schema.Warning,
		Client: &http.Client{Transport: w.net}, Stdout: &w.net.stdout, Log: w.say, Disk: w.disk,
		Now: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }}
	t.Cleanup(func() {
		w.end()
		if t.Failed() {
			t.Log("what the daemon said:\n" + strings.Join(w.said(), "\n"))
		}
	})
	return w
}

// gateway is a pool on the side of the gateway; another port than 80 is drift.
func gateway(pool string, port int) string {
	return fmt.Sprintf("backend %s\n    server one 10.0.0.1:%d\n", pool, port)
}

func (w *world) env(name string) (string, bool) {
	host, ok := strings.CutPrefix(name, "POOLPROOF_")
	return "https://" + strings.ToLower(host) + "/hook", ok
}

func (w *world) say(t schema.Text) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, t.En)
}

func (w *world) said() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log
}

// heard reports how many lines of the log hold a text.
func (w *world) heard(text string) int {
	n := 0
	for _, line := range w.said() {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

func (w *world) write(name, text string) {
	w.Helper()
	p := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

// open opens the tree as the command does.
func (w *world) open(context.Context) (*Subject, error) {
	work, err := tree.OpenWork(w.root)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(w.root, "poolproof.yaml")
	text, err := os.ReadFile(file)
	m, problems := manifest.Load("poolproof.yaml", text)
	if err != nil || len(problems) > 0 {
		work.Close()
		if err == nil {
			err = fmt.Errorf("%s", problems[0].Text.En)
		}
		return nil, &BadManifest{File: "poolproof.yaml", Text: text, Problems: problems, Err: err}
	}
	m.File = "poolproof.yaml"
	return &Subject{Root: w.root, Tree: watched{work, w}, Manifest: &m, Text: text, Manifests: []string{file}, Close: func() { work.Close() },
		Load: load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer), Workers: 1}}, nil
}

// watched is a tree that can misbehave.
type watched struct {
	tree.Tree
	world *world
}

func (t watched) Read(path string) ([]byte, error) {
	if read := t.world.read; read != nil {
		if err := read(path); err != nil {
			return nil, err
		}
	}
	return t.Tree.Read(path)
}

// begin starts a daemon on what there is.
func (w *world) begin() {
	w.Helper()
	if w.hand != nil {
		w.hand = newHand()
		w.options.Watch = func(files.Options) (Watcher, error) { return w.hand, nil }
	}
	ctx, cancel := context.WithCancel(w.Context())
	d, err := New(ctx, w.options)
	if err != nil {
		w.Fatal(err)
	}
	w.d = d
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-done; err != nil {
			w.Error(err)
		}
	}
	w.settle()
}

// end ends the daemon; a process that follows finds the state.
func (w *world) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

func (w *world) again() {
	w.Helper()
	w.end()
	w.begin()
}

// settle waits until nothing moves.
func (w *world) settle() {
	if w.hand != nil {
		synctest.Wait()
	}
}

// save saves a file, and has the daemon see it.
func (w *world) save(name, text string) {
	w.Helper()
	w.write(name, text)
	w.change(files.Change{Paths: map[string]bool{name: true}})
}

func (w *world) change(c files.Change) {
	w.hand.changes <- c
	w.settle()
}

// drift makes a pool drift, mend ends that.
func (w *world) drift(pool string) { w.Helper(); w.save("gw/"+pool+".cfg", gateway(pool, 81)) }
func (w *world) mend(pool string)  { w.Helper(); w.save("gw/"+pool+".cfg", gateway(pool, 80)) }

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	w.settle()
}

// shot is the newest snapshot; an empty one before the first.
func (w *world) shot() *status.Snapshot {
	if s := w.d.Snapshot(); s != nil {
		return s
	}
	return new(status.Snapshot)
}

// fault is what is wrong with the watching, by name; empty where nothing is.
func (w *world) fault(name string) string {
	for _, e := range w.shot().Errors {
		if e.Name == name {
			return e.Text.En
		}
	}
	return ""
}

// expect compares what a receiver was told.
func (w *world) expect(host, want string) {
	w.Helper()
	if got := w.net.told(host); got != want {
		w.Errorf("%s was told %q, want %q", host, got, want)
	}
}

// hand is a watcher that sees what it is told to.
type hand struct {
	changes chan files.Change
	state   atomic.Pointer[files.State]
	looks   atomic.Int32
}

func newHand() *hand {
	h := &hand{changes: make(chan files.Change)}
	h.state.Store(&files.State{Folders: 1})
	return h
}

func (h *hand) Run(ctx context.Context)                               { <-ctx.Done() }
func (h *hand) Changes() <-chan files.Change                          { return h.changes }
func (h *hand) State() files.State                                    { return *h.state.Load() }
func (h *hand) Set(context.Context, *files.Patterns, map[string]bool) {}
func (h *hand) Again(context.Context)                                 { h.looks.Add(1) }
func kindThat(read func(context.Context) ([]schema.Copy, error)) []live.Kind {
	return []live.Kind{{Name: "haproxy", Format: "haproxy", Shows: []schema.Item{schema.Members}, Open: func(*live.Target) (live.ReadFunc, error) { return read, nil }}}
}
