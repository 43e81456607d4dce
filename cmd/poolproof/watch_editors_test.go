package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWatchEditors saves a file in the ways in which people and programs do. Whatever a save leaves behind or takes away
// for a moment, it has one verdict, and that is the right one.
func TestWatchEditors(t *testing.T) {
	t.Parallel()
	const from, to = "8080", "8081"
	vim := func(settings string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			command(t, dir, "vim", "-Nu", "NONE", "-es", "-c", "set swapfile "+settings, "-c", "%s/"+from+"/"+to+"/", "-c", "wq", "app.yaml")
		}
	}
	for _, tt := range []struct {
		name string
		save func(t *testing.T, dir string)
	}{
		{"vim that writes in place", vim("backup backupcopy=yes")},
		{"vim that renames", vim("backup backupcopy=no")},
		{"vim without a backup", vim("nobackup nowritebackup")},
		{"vim as it comes", vim("nobackup writebackup backupcopy=auto")},
		{"vim with an undo file", vim("backup backupcopy=no undofile")},
		{"sed -i", func(t *testing.T, dir string) { command(t, dir, "sed", "-i", "s/"+from+"/"+to+"/", "app.yaml") }},
		{"sed -i with a backup", func(t *testing.T, dir string) {
			command(t, dir, "sed", "-i.bak", "s/"+from+"/"+to+"/", "app.yaml")
		}},
		{"a shell that truncates", func(t *testing.T, dir string) {
			command(t, dir, "sh", "-c", "text=$(sed s/"+from+"/"+to+"/ app.yaml) && printf '%s\\n' \"$text\" > app.yaml")
		}},
		{"emacs", func(t *testing.T, dir string) { // which renames the old file away, and writes a new one
			command(t, dir, "sh", "-c", "ln -s me@host.1:2 .#app.yaml && sed s/"+from+"/"+to+"/ app.yaml > '#app.yaml#' && mv app.yaml app.yaml~ && cp '#app.yaml#' app.yaml && rm -f '#app.yaml#' .#app.yaml")
		}},
		{"removed and written", func(t *testing.T, dir string) {
			command(t, dir, "sh", "-c", "sed s/"+from+"/"+to+"/ app.yaml > ../saved && rm app.yaml && cat ../saved > app.yaml")
		}},
		{"a folder put in place of another", func(t *testing.T, dir string) {
			command(t, dir, "sh", "-c", "cp -r . ../new && sed -i s/"+from+"/"+to+"/ ../new/app.yaml && mv ../side ../old && mv ../new ../side && rm -r ../old")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			put(t, root, "poolproof.yaml", "sources:\n  - {side: app, format: poolproof, files: [side/app.yaml]}\n  - {side: gateway, format: haproxy, files: [gw.cfg]}\n",
				"gw.cfg", "backend orders\n    server a 10.0.0.1:8080\n", "side/app.yaml", "pools:\n  orders:\n    members:\n      - {address: 10.0.0.1, port: "+from+"}\n")
			w := watch(t, root, "--debounce", "200ms")
			tt.save(t, filepath.Join(root, "side"))
			w.until("a verdict", func() bool { return len(w.findings("members/")) > 0 })
			w.verdict("members/extra orders 10.0.0.1:8081", "members/missing orders 10.0.0.1:8080")
		})
	}
}

// verdict holds that this began and nothing else, that nothing of it ended meanwhile, and that it is the last word, also
// after everything was looked at again.
func (w *running) verdict(want ...string) {
	w.t.Helper()
	w.again()
	w.until("told", func() bool { return len(w.events()) >= len(want) })
	var got, now []string
	for _, e := range w.events() {
		got = append(got, e.Status+" "+e.Rule+" "+e.Pool+" "+e.Member)
	}
	for _, f := range w.findings("members/") {
		now = append(now, f.Rule+" "+f.Pool+" "+f.Member)
	}
	slices.Sort(got)
	slices.Sort(now)
	var firing []string
	for _, line := range want {
		firing = append(firing, "firing "+line)
	}
	if !slices.Equal(got, firing) {
		w.t.Errorf("told %q, not %q", got, firing)
	}
	if !slices.Equal(now, want) {
		w.t.Errorf("found %q, not %q", now, want)
	}
	if s := w.status(); s.Totals.Began != uint64(len(want)) || s.Totals.Ended != 0 {
		w.t.Errorf("%d drifts began and %d ended", s.Totals.Began, s.Totals.Ended)
	}
}

// TestWatchCheckout changes to another branch and back, which takes files away, brings others, and changes one.
func TestWatchCheckout(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	pool := func(name string, port int) []string {
		return []string{name + "/app.yaml", fmt.Sprintf("pools: {%s: {members: [{address: 10.0.0.1, port: %d}]}}\n", name, port), name + "/gw.cfg", "backend " + name + "\n    server a 10.0.0.1:8080\n"}
	}
	put(t, root, append(append(pool("orders", 8080), pool("gone", 8081)...), "poolproof.yaml",
		"sources:\n  - {side: app, format: poolproof, files: [\"*/app.yaml\"]}\n  - {side: gateway, format: haproxy, files: [\"*/gw.cfg\"]}\n")...)
	git := func(args ...string) { t.Helper(); command(t, root, "git", args...) }
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "main")
	git("checkout", "-q", "-b", "other")
	git("rm", "-q", "-r", "gone")
	put(t, root, append(pool("orders", 8081), pool("new/deep", 8080)...)...)
	put(t, root, pool("come", 8081)...)
	git("add", ".")
	git("commit", "-q", "-m", "other")
	git("checkout", "-q", "main")
	w := watch(t, root)
	w.verdict("members/extra gone 10.0.0.1:8081", "members/missing gone 10.0.0.1:8080")

	git("checkout", "-q", "other")
	w.until("the other branch", func() bool { return len(w.events()) >= 8 })
	var got []string
	for _, e := range w.events() {
		got = append(got, e.Status+" "+e.Rule+" "+e.Pool)
	}
	slices.Sort(got)
	want := []string{"firing members/extra come", "firing members/extra gone", "firing members/extra orders", "firing members/missing come", "firing members/missing gone",
		"firing members/missing orders", "resolved members/extra gone", "resolved members/missing gone"}
	if !slices.Equal(got, want) {
		t.Errorf("told %q", got)
	}
	git("checkout", "-q", "main")
	w.until("back again", func() bool { return len(w.events()) >= 14 })
	if s := w.status(); s.Totals.Began != 8 || s.Totals.Ended != 6 || len(s.Drifts) != 2 {
		t.Errorf("%+v", s)
	}
}

// TestWatchConfigMap swaps the files of a volume as Kubernetes does: the manifest, the copies, and both at once.
func TestWatchConfigMap(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	const manifest = "sources:\n  - {side: app, format: poolproof, files: [app.yaml]}\n  - {side: gateway, format: haproxy, files: [%s]}\n"
	app := func(port int) string {
		return fmt.Sprintf("pools: {orders: {members: [{address: 10.0.0.1, port: %d}]}}\n", port)
	}
	gw := func(name string) string { return "backend " + name + "\n    server a 10.0.0.1:8080\n" }
	number := 0
	swap := func(files ...string) {
		t.Helper()
		number++
		folder := fmt.Sprintf("..2026_01_01_00_00_%02d.1", number)
		put(t, filepath.Join(root, folder), files...)
		old, _ := os.Readlink(filepath.Join(root, "..data"))
		if err := os.Symlink(folder, filepath.Join(root, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(root, "..data_tmp"), filepath.Join(root, "..data")); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(files); i += 2 {
			_ = os.Symlink(filepath.Join("..data", files[i]), filepath.Join(root, files[i]))
		}
		if old != "" {
			_ = os.RemoveAll(filepath.Join(root, old))
		}
	}
	one := fmt.Sprintf(manifest, "one.cfg")
	swap("poolproof.yaml", one, "app.yaml", app(8080), "one.cfg", gw("orders"), "two.cfg", "backend orders\n    server a 10.0.0.2:8080\n")
	w := watch(t, root)
	swap("poolproof.yaml", one, "app.yaml", app(8081), "one.cfg", gw("orders"), "two.cfg", gw("orders"))
	w.until("the copies", func() bool { return len(w.findings("members/")) > 0 })
	w.verdict("members/extra orders 10.0.0.1:8081", "members/missing orders 10.0.0.1:8080")
	swap("poolproof.yaml", fmt.Sprintf(manifest, "two.cfg"), "app.yaml", app(8080), "one.cfg", gw("orders"), "two.cfg", "backend orders\n    server a 10.0.0.2:8080\n")
	w.until("manifest and copies at once", func() bool {
		var got []string
		for _, f := range w.findings("members/") {
			got = append(got, f.Member)
		}
		return strings.Join(got, " ") == "10.0.0.1:8080 10.0.0.2:8080" || strings.Join(got, " ") == "10.0.0.2:8080 10.0.0.1:8080"
	})
	time.Sleep(200 * time.Millisecond)
	if s := w.status(); len(s.Errors) > 0 || s.Totals.FailedScans > 0 {
		t.Errorf("%+v", s)
	}
}
