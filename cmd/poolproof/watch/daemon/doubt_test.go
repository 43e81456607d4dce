package daemon

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// TestUnreadableIsNotMissing: what an unreadable file makes other sides seem to lack is held and not told, also after a
// restart, and told once the file is really gone; drift is held whichever rules are asked for.
func TestUnreadableIsNotMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.options.RuleNames = nil // these rules are silent where some are asked for
		counts := func(rule string) bool { return rule == "members/missing" || rule == "pool/unmatched" }
		w.begin()
		w.drift("a")
		w.pass(time.Second)
		for _, p := range []string{"a", "b"} {
			if err := os.Remove(filepath.Join(w.root, "gw", p+".cfg")); err != nil {
				t.Fatal(err)
			}
		}
		if err := syscall.Mkfifo(filepath.Join(w.root, "gw/a.cfg"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.change(files.Change{Paths: map[string]bool{"gw/a.cfg": true, "gw/b.cfg": true}})
		held := func() string {
			w.Helper()
			var list []string
			for _, d := range w.shot().Drifts {
				if !counts(d.Rule) {
					continue
				}
				if !d.Held || !d.Told != (d.Rule == "pool/unmatched") {
					w.Errorf("held: %v, told: %v: %s %s", d.Held, d.Told, d.Rule, d.Pool)
				}
				list = append(list, d.Rule+" "+d.Pool)
			}
			slices.Sort(list)
			return strings.Join(list, ", ")
		}
		const want = "members/missing a, pool/unmatched a, pool/unmatched b"
		w.pass(time.Minute)
		if got := held(); got != want {
			t.Errorf("held: %s", got)
		}
		w.again()
		w.pass(time.Minute)
		if got := held(); got != want {
			t.Errorf("held after a restart: %s", got)
		}
		if err := os.Remove(filepath.Join(w.root, "gw/a.cfg")); err != nil {
			t.Fatal(err)
		}
		w.mend("a")
		w.pass(time.Minute)
		var told []string
		for _, a := range w.net.alerts("hook") {
			if counts(a.Rule) {
				told = append(told, a.Rule+" "+a.Pool+" "+a.Status)
			}
		}
		if got := strings.Join(told, ", "); got != "members/missing a firing, members/missing a resolved, pool/unmatched b firing" {
			t.Errorf("told %s", got)
		}
	})
}

// TestEmptyTree: where the manifest and all files are gone, as while a clone takes the place of another, nothing is known,
// and nothing ends.
func TestEmptyTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		with := w.options.Open
		w.options.Open = func(ctx context.Context) (*Subject, error) { // as the command does, without a manifest
			file := filepath.Join(w.root, "poolproof.yaml")
			if _, err := os.Stat(file); err == nil {
				return with(ctx)
			}
			work, err := tree.OpenWork(w.root)
			if err != nil {
				return nil, err
			}
			return &Subject{Root: w.root, Tree: work, Manifest: &schema.Manifest{Discovered: true}, Manifests: []string{file}, Close: func() { work.Close() }}, nil
		}
		w.begin()
		w.drift("a")
		w.pass(time.Second)
		lasting := func() (held, n int) {
			for _, d := range w.shot().Drifts {
				if d.Rule == "members/missing" {
					if n++; d.Held {
						held++
					}
				}
			}
			return held, n
		}
		for name, c := range map[string]files.Change{"root": {Root: true, Manifest: true, All: true},
			"files": {Manifest: true, Paths: map[string]bool{"gw/a.cfg": true, "gw/b.cfg": true, "gw/c.cfg": true, "app/a.yaml": true, "app/b.yaml": true, "app/c.yaml": true}}} {
			aside := t.TempDir()
			for _, part := range []string{"poolproof.yaml", "gw", "app"} {
				if err := os.Rename(filepath.Join(w.root, part), filepath.Join(aside, part)); err != nil {
					t.Fatal(err)
				}
			}
			w.change(c)
			w.pass(time.Minute)
			if held, n := lasting(); held != 1 || n != 1 {
				t.Errorf("%s: %d drifts, %d held", name, n, held)
			}
			if s := w.shot(); !strings.Contains(w.fault("scan"), "all files that it names") || s.Counts.Pools != 3 {
				t.Errorf("%s: %d pools, %+v", name, s.Counts.Pools, s.Errors)
			}
			for _, part := range []string{"app", "gw", "poolproof.yaml"} {
				if err := os.Rename(filepath.Join(aside, part), filepath.Join(w.root, part)); err != nil {
					t.Fatal(err)
				}
			}
			w.change(c)
			w.pass(time.Second)
			if s := w.shot(); len(s.Drifts) != 1 || s.Drifts[0].Held || len(s.Errors) > 0 {
				t.Errorf("%s is back: %+v, %+v", name, s.Drifts, s.Errors)
			}
		}
		w.mend("a")
		w.pass(time.Second)
		var told []string
		for _, a := range w.net.alerts("hook") {
			if a.Rule == "members/missing" {
				told = append(told, a.Pool+" "+a.Status)
			}
		}
		if got := strings.Join(told, ", "); got != "a firing, a resolved" {
			t.Errorf("told %s", got)
		}
	})
}
