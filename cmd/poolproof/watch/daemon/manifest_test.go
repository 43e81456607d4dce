package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
)

// TestManifestBecomesBad: the last good one stays in use, which is said and told; a good one takes its place.
func TestManifestBecomesBad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		for _, text := range []string{"sources: [", "sources: 7\n", ""} {
			w.write("poolproof.yaml", text)
			w.change(files.Change{Manifest: true})
			w.drift("a")
			w.pass(time.Second)
			f := w.fault("manifest")
			if text != "" && !strings.Contains(f, "the last one still is") {
				t.Errorf("%q: manifest: %q", text, f)
			}
			w.mend("a")
			w.pass(time.Second)
		}
		if err := os.Remove(filepath.Join(w.root, "poolproof.yaml")); err != nil {
			t.Fatal(err)
		}
		w.change(files.Change{Manifest: true})
		w.drift("b")
		w.pass(time.Second)
		if f := w.fault("manifest"); f == "" {
			t.Error("nothing said of a manifest that is gone")
		}
		w.write("poolproof.yaml", sourcesText+"alerts:\n  webhook: {url: http://hook/}\n")
		w.change(files.Change{Manifest: true})
		w.pass(time.Second)
		if s := w.shot(); len(s.Errors) > 0 || w.heard("manifest: well again") == 0 || s.Totals.ManifestFailures < 3 {
			t.Errorf("%+v, %d failures", s.Errors, s.Totals.ManifestFailures)
		}
		firing := map[string]bool{}
		for _, a := range w.net.alerts("hook") {
			firing[a.Key] = a.Status == "firing"
		}
		n := 0
		for _, is := range firing {
			if is {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d drifts last in the end: %+v", n, w.net.alerts("hook"))
		}
	})
}

// TestManifestTakesEffect: other sources and sinks are in use without a restart, once they were looked at.
func TestManifestTakesEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://first/}\n")
		w.begin()
		w.drift("a")
		w.pass(time.Second)
		w.write("other/d.cfg", gateway("d", 81))
		w.write("app/d.yaml", "pools:\n  d:\n    members:\n      - {address: 10.0.0.1, port: 80}\n")
		w.write("poolproof.yaml", strings.Replace(sourcesText, `"gw/*.cfg"`, `"gw/*.cfg", "other/*.cfg"`, 1)+"alerts:\n  webhook: {url: http://second/}\n")
		w.change(files.Change{Manifest: true})
		w.pass(time.Second)
		w.expect("first", "a began@0s")
		w.expect("second", "d began@1s")
		w.mend("a")
		w.pass(time.Second)
		w.expect("second", "d began@1s, a ended@2s")
		if s := w.shot(); s.Counts.Pools != 4 {
			t.Errorf("%d pools", s.Counts.Pools)
		}
	})
}

// TestManifestChangesDuringALook: the look by the old one is dropped, and drift that lasts is not told twice.
func TestManifestChangesDuringALook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.write("gw/a.cfg", gateway("a", 81))
		slow := make(chan struct{})
		w.read = func(string) error {
			select {
			case <-slow:
			case <-time.After(5 * time.Second):
			}
			return nil
		}
		w.begin()
		w.write("poolproof.yaml", sourcesText+"alerts:\n  webhook: {url: http://other/}\n")
		go func() { time.Sleep(time.Second); close(slow) }()
		w.change(files.Change{Manifest: true})
		w.pass(time.Minute)
		w.expect("hook", "")
		w.expect("other", "a began@1s")
	})
}
