package files

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/poolproof/poolproof/schema"
)

// watched is a watched folder of a test.
type watched struct {
	*testing.T
	root string
	w    *Watcher
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func watch(t *testing.T, o Options, tree ...string) *watched {
	t.Helper()
	if o.Root == "" {
		o.Root = t.TempDir()
	}
	for _, name := range tree {
		write(t, filepath.Join(o.Root, name), "old\n")
	}
	if o.Patterns == nil {
		o.Patterns = NewPatterns([]schema.Source{{Files: []string{"app/**/*.yaml", "gw/haproxy.cfg"}, Exclude: []string{"app/skip/**"}}})
	}
	o.Manifests = append(o.Manifests, filepath.Join(o.Root, "poolproof.yaml"))
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return &watched{t, o.Root, w}
}

// told waits for a change and returns it as text; "" where none comes for a while.
func (w *watched) told(wait time.Duration) string {
	select {
	case c := <-w.w.Changes():
		var list []string
		for p := range c.Paths {
			list = append(list, p)
		}
		slices.Sort(list)
		for _, flag := range []struct {
			on   bool
			name string
		}{{c.Manifest, "MANIFEST"}, {c.All, "ALL"}, {c.Root, "ROOT"}} {
			if flag.on {
				list = append(list, flag.name)
			}
		}
		return strings.Join(list, " ")
	case <-time.After(wait):
		return ""
	}
}

// expect holds that one change comes, and no other after it.
func (w *watched) expect(want string) {
	w.Helper()
	if got := w.told(5 * time.Second); got != want {
		w.Errorf("told %q, want %q", got, want)
	}
	w.silent()
}

func (w *watched) silent() {
	w.Helper()
	if got := w.told(350 * time.Millisecond); got != "" {
		w.Errorf("told %q as well", got)
	}
}

func (w *watched) sh(script string) {
	w.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// TestSaves plays the ways in which files are saved; each is one change of the files that count.
func TestSaves(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"write":                 {"echo new >app/a/one.yaml", "app/a/one.yaml"},
		"append":                {"echo new >>app/a/one.yaml; echo more >>app/a/one.yaml", "app/a/one.yaml"},
		"vim":                   {"vim -es -u NONE -c '%s/old/new/' -c 'wq' app/a/one.yaml", "app/a/one.yaml"},
		"vim with backup":       {"vim -es -u NONE -c 'set backup writebackup backupcopy=no swapfile' -c '%s/old/new/' -c 'w' -c '%s/new/newer/' -c 'wq' app/a/one.yaml", "app/a/one.yaml"},
		"vim copy":              {"vim -es -u NONE -c 'set backup backupcopy=yes' -c '%s/old/new/' -c 'wq' app/a/one.yaml", "app/a/one.yaml"},
		"sed -i":                {"sed -i s/old/new/ app/a/one.yaml gw/haproxy.cfg", "app/a/one.yaml gw/haproxy.cfg"},
		"rename over":           {"echo new >app/a/.tmp1; mv app/a/.tmp1 app/a/one.yaml", "app/a/one.yaml"},
		"rename from elsewhere": {"echo new >tmp1; mv tmp1 app/a/one.yaml", "app/a/one.yaml"},
		"remove":                {"rm app/a/one.yaml", "app/a/one.yaml"},
		"rename":                {"mv app/a/one.yaml app/a/three.yaml", "app/a/one.yaml app/a/three.yaml"},
		"new folders":           {"mkdir -p app/x/y/z; echo new >app/x/y/z/new.yaml", "app/x/y/z/new.yaml"},
		"copied folder":         {"cp -r app/a app/copy", "app/copy/one.yaml app/copy/two.yaml"},
		"moved folder":          {"mv app/a app/b", "app/a/one.yaml app/a/two.yaml app/b/one.yaml app/b/two.yaml"},
		"moved out":             {"mv app/a ../gone", "app/a/one.yaml app/a/two.yaml"},
		"removed folder":        {"rm -r app", "app/a/one.yaml app/a/two.yaml"},
		"removed and back":      {"rm -r app; mkdir -p app/a; echo new >app/a/one.yaml", "app/a/one.yaml app/a/two.yaml"},
		"manifest":              {"echo new >poolproof.yaml", "MANIFEST"},
		"manifest by vim":       {"echo new >poolproof.yaml; vim -es -u NONE -c '%s/new/newer/' -c wq poolproof.yaml", "MANIFEST"},
		"permissions":           {"chmod 600 app/a/one.yaml", "app/a/one.yaml"},
		"link":                  {"ln -s ../../gw/haproxy.cfg app/a/link.yaml", "app/a/link.yaml"},
		"link to a folder":      {"ln -s a app/l", "app/l/one.yaml app/l/two.yaml"},
		"what does not count":   {"echo new >app/a/note.txt; echo new >gw/other.cfg; mkdir -p app/skip .git node_modules/x; echo new >app/skip/a.yaml; echo new >README", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "root")
			w := watch(t, Options{Root: root}, "app/a/one.yaml", "app/a/two.yaml", "gw/haproxy.cfg")
			w.sh(c.script)
			if c.want == "" {
				w.silent()
				return
			}
			w.expect(c.want)
			if strings.HasPrefix(name, "mov") || strings.HasPrefix(name, "rem") || strings.HasPrefix(name, "new") {
				w.sh("mkdir -p app/a app/b app/x/y/z; echo >app/a/one.yaml; echo >app/b/one.yaml; echo >app/x/y/z/new.yaml")
				w.expect("app/a/one.yaml app/b/one.yaml app/x/y/z/new.yaml")
			}
		})
	}
}

// TestCheckout: a checkout of many files is one change or few, and complete.
func TestCheckout(t *testing.T) {
	w := watch(t, Options{}, "app/a/one.yaml")
	w.sh(`git init -q -b main .; git add .; git commit -qm one; git checkout -qb other
for d in 1 2 3 4 5 6 7 8; do mkdir -p app/d$d/e; for f in 1 2 3 4 5; do echo $f >app/d$d/e/$f.yaml; done; done; git rm -q app/a/one.yaml; git add .; git commit -qm two; git checkout -q main`)
	for w.told(time.Second) != "" {
	}
	for range 2 {
		w.sh("git checkout -q other; git checkout -q main; git checkout -q other")
		seen, n := map[string]bool{}, 0
		for got := w.told(3 * time.Second); got != ""; got = w.told(time.Second) {
			n++
			for _, p := range strings.Fields(got) {
				seen[p] = true
			}
		}
		if len(seen) != 41 || n > 3 {
			t.Errorf("%d paths in %d changes", len(seen), n)
		}
		w.sh("git checkout -q main")
		for w.told(time.Second) != "" {
		}
	}
}

// TestConfigMap swaps what a volume of Kubernetes shows, as the kubelet does, twice.
func TestConfigMap(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "app/..v1/one.yaml"), "1")
	for _, l := range [][2]string{{"..v1", "app/..data"}, {"..data/one.yaml", "app/one.yaml"}} {
		if err := os.Symlink(l[0], filepath.Join(root, l[1])); err != nil {
			t.Fatal(err)
		}
	}
	w := watch(t, Options{Root: root})
	for i := 2; i < 5; i++ {
		w.sh(fmt.Sprintf("cd app; mkdir ..v%[1]d; echo %[1]d >..v%[1]d/one.yaml; ln -s ..v%[1]d ..data_tmp; mv -T ..data_tmp ..data; rm -r ..v%[2]d", i, i-1))
		got := w.told(5 * time.Second)
		if !slices.Contains(strings.Fields(got), "app/one.yaml") {
			t.Errorf("swap %d: told %q", i, got)
		}
		w.silent()
	}
	w.sh("echo 5 >app/..v4/one.yaml")
	if got := w.told(5 * time.Second); !slices.Contains(strings.Fields(got), "app/one.yaml") {
		t.Errorf("written in place: told %q", got)
	}
}

// TestLinkedFile: the target of a link counts wherever it is in the root, and outside of it is not watched.
func TestLinkedFile(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "real/deep/x.cfg"), "1")
	if err := os.MkdirAll(filepath.Join(root, "gw"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real/deep/x.cfg", filepath.Join(root, "gw/haproxy.cfg")); err != nil {
		t.Fatal(err)
	}
	w := watch(t, Options{Root: root})
	for _, script := range []string{"echo 2 >real/deep/x.cfg", "sed -i s/2/3/ real/deep/x.cfg", "mv real/deep real/d2", "mkdir real/deep; echo 4 >real/deep/x.cfg", "rm -r real", "mkdir -p real/deep; echo 4 >real/deep/x.cfg", "echo 5 >real/deep/x.cfg"} {
		w.sh(script)
		if got := w.told(5 * time.Second); got != "gw/haproxy.cfg" {
			t.Errorf("%s: told %q", script, got)
		}
		w.silent()
	}
	outside := t.TempDir()
	w.sh("ln -sfn " + outside + " gw/haproxy.cfg")
	w.expect("gw/haproxy.cfg")
	for dir := range w.w.current.watched {
		if strings.HasPrefix(dir, outside) {
			t.Errorf("%s is watched", dir)
		}
	}
}

// TestRoot: a root that is deleted and made again is watched again, also one that a link swaps.
func TestRoot(t *testing.T) {
	above := t.TempDir()
	for _, v := range []string{"v1", "v2"} {
		write(t, filepath.Join(above, v, "app/a/one.yaml"), v)
	}
	if err := os.Symlink("v1", filepath.Join(above, "now")); err != nil {
		t.Fatal(err)
	}
	w := watch(t, Options{Root: filepath.Join(above, "now")})
	for _, script := range []string{"ln -sfn v2 ../now", "mv ../v2 ../v3; mkdir -p ../v2/app/a", "rm -r ../v2", "mkdir -p ../v2/app/a"} {
		if _, err := os.Stat(w.root); err != nil {
			w.root = above + "/v1"
		}
		w.sh("cd " + above + "/v1; " + script)
		w.root = filepath.Join(above, "now")
		got := w.told(5 * time.Second)
		if !strings.Contains(got, "ALL ROOT") {
			t.Errorf("%s: told %q", script, got)
		}
		for w.told(1500*time.Millisecond) != "" {
		}
	}
	w.sh("echo 2 >app/a/one.yaml")
	w.expect("app/a/one.yaml")
}

// TestRootMode: what may be read of the root may change without a change in it.
func TestRootMode(t *testing.T) {
	w := watch(t, Options{}, "app/a/one.yaml")
	for _, mode := range []string{"711", "755"} {
		w.sh("chmod " + mode + " .")
		w.expect("MANIFEST ALL")
	}
	w.sh("echo new >app/a/one.yaml")
	w.expect("app/a/one.yaml")
}

// TestBadLinks: links that lead nowhere, out of the root or to themselves come, go and are mended.
func TestBadLinks(t *testing.T) {
	for name, o := range map[string]Options{"watched": {}, "polled": {Poll: 50 * time.Millisecond, Add: func(*fsnotify.Watcher, string) error { return syscall.ENOSPC }}} {
		t.Run(name, func(t *testing.T) {
			w := watch(t, o, "app/a/one.yaml")
			for w.told(300*time.Millisecond) != "" {
			}
			for _, script := range []string{"ln -s /dev/zero app/a/two.yaml", "rm app/a/two.yaml", "ln -s two.yaml app/a/two.yaml", "rm app/a/two.yaml", "ln -s none app/a/two.yaml", "ln -sfn one.yaml app/a/two.yaml"} {
				w.sh(script)
				if got := w.told(5 * time.Second); got != "app/a/two.yaml" {
					t.Errorf("%s: told %q", script, got)
				}
			}
			w.silent()
		})
	}
}

// TestSteady: files that are saved without end are told all the same.
func TestSteady(t *testing.T) {
	w := watch(t, Options{Debounce: 200 * time.Millisecond, Most: 600 * time.Millisecond}, "app/a/one.yaml")
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				_ = os.WriteFile(filepath.Join(w.root, "app/a/one.yaml"), fmt.Append(nil, i), 0o644)
			}
		}
	}()
	for range 3 {
		if got := w.told(1500 * time.Millisecond); got != "app/a/one.yaml" {
			t.Errorf("told %q", got)
		}
	}
	close(stop)
	<-ended
}

// TestLimit: where the system watches no more, the folders are polled, and watched again when that is possible.
func TestLimit(t *testing.T) {
	var full atomic.Bool
	full.Store(true)
	n := 0
	w := watch(t, Options{Poll: 50 * time.Millisecond, Add: func(w *fsnotify.Watcher, dir string) error {
		if n++; full.Load() && n > 2 {
			return fmt.Errorf("%s: %w", dir, syscall.ENOSPC)
		}
		return w.Add(dir)
	}}, "app/a/one.yaml", "app/b/two.yaml", "gw/haproxy.cfg")
	if s := w.w.State(); !s.Polling || !strings.Contains(s.Why, "no space") {
		t.Fatalf("state %+v", s)
	}
	w.sh("echo newer >app/b/two.yaml; mkdir -p app/n; echo new >app/n/new.yaml; rm gw/haproxy.cfg; ln -s / app/out; ln -s . app/loop")
	w.expect("app/b/two.yaml app/n/new.yaml gw/haproxy.cfg")
	w.sh("echo >poolproof.yaml")
	w.expect("MANIFEST")
	full.Store(false)
	w.w.Again(t.Context())
	if s := w.w.State(); s.Polling || s.Folders < 5 {
		t.Errorf("state %+v", s)
	}
	w.sh("rm app/out app/loop")
	w.silent()
	w.sh("echo newest >app/b/two.yaml")
	w.expect("app/b/two.yaml")
}

// TestOverflow: lost events mean that everything is looked at.
func TestOverflow(t *testing.T) {
	w := watch(t, Options{}, "app/a/one.yaml")
	w.w.order(t.Context(), func() { w.w.failed(fmt.Errorf("reading: %w", fsnotify.ErrEventOverflow)) })
	w.expect("ALL")
	if w.w.State().Overflows != 1 {
		t.Error("not counted")
	}
}

// TestSet: other patterns, and files that no pattern names.
func TestSet(t *testing.T) {
	w := watch(t, Options{}, "app/a/one.yaml", "app/a/base.txt", "docs/x.md")
	w.w.Set(t.Context(), NewPatterns([]schema.Source{{Files: []string{"docs/*.md"}}}), map[string]bool{"docs/beside.txt": true})
	for w.told(500*time.Millisecond) != "" {
	}
	w.sh("echo new >app/a/one.yaml; echo new >docs/x.md; echo new >docs/beside.txt")
	w.expect("docs/beside.txt docs/x.md")
	w.w.Again(t.Context())
	w.silent()
}

// TestReaches: only folders that can hold files of a pattern are watched.
func TestReaches(t *testing.T) {
	p := NewPatterns([]schema.Source{{Files: []string{"services/*/config-{a,b}.yaml", "./deep/x*/**/y.yaml", "{gw,proxy}/a/b.cfg", "{e/f,g}/h.yaml"}[:3], Exclude: []string{"services/old*/**"}}})
	for dir, want := range map[string]bool{
		".": true, "services": true, "services/a": true, "services/a/b": false, "services/older": false, "deep": true, "deep/x1": true, "deep/x1/a/b": true,
		"deep/y": false, "deep/x1/node_modules": false, "deep/x1/.git": false, "gw/a": true, "proxy/a": true, "gw/b": false, "e": false,
	} {
		if got := p.Reaches(dir); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
	if p := NewPatterns([]schema.Source{{Files: []string{"{e/f,g}/h.yaml"}}}); !p.Reaches("e/f") || !p.Reaches("g") {
		t.Error("alternatives of several folders")
	}
	if all := NewPatterns([]schema.Source{{Files: []string{"**/*.yaml", "node_modules/x/y.yaml"}}}); !all.Reaches("a/b") || all.Reaches("a/node_modules") || !all.Reaches("node_modules/x") || all.Reaches("node_modules/z/node_modules") {
		t.Error("node_modules")
	}
}
