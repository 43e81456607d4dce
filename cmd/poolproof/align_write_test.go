package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/tree"
)

func TestReplaceFile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lay   func(file string) error
		want  string // what stands there afterwards, "" where nothing does
		fails bool
	}{
		{"as it was read", func(string) error { return nil }, "new", false},
		{"changed since", func(f string) error { return os.WriteFile(f, []byte("odd"), 0o644) }, "odd", true},
		{"longer since", func(f string) error { return os.WriteFile(f, []byte("old and more"), 0o644) }, "old and more", true},
		{"gone", os.Remove, "", true},
		{"a link in its place", func(f string) error {
			return errors.Join(os.Rename(f, f+".target"), os.Symlink("file.target", f))
		}, "old", true},
		{"a link that leads out", func(f string) error { return errors.Join(os.Remove(f), os.Symlink("../../outside", f)) }, "outside", true},
		{"a folder in its place", func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o755)) }, "", true},
		{"a pipe in its place", func(f string) error { return errors.Join(os.Remove(f), syscall.Mkfifo(f, 0o644)) }, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "root", "sub", "file")
			writeFiles(t, dir, map[string]string{"root/sub/file": "old", "outside": "outside"})
			if err := errors.Join(os.Chmod(file, 0o640), tt.lay(file)); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(filepath.Join(dir, "root"))
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			if err := replaceFile(root, "sub/file", []byte("old"), []byte("new")); (err != nil) != tt.fails {
				t.Errorf("error %v", err)
			}
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				got, err := os.ReadFile(file)
				if err != nil || string(got) != tt.want {
					t.Errorf("%q stands there, %v; want %q", got, err, tt.want)
				}
			} else if tt.want != "" {
				t.Errorf("nothing stands there: %v", err)
			}
			if info, err := os.Stat(file); !tt.fails && (err != nil || info.Mode() != 0o640) {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if list, err := filepath.Glob(filepath.Join(dir, "root", "sub", ".poolproof-*")); err != nil || len(list) > 0 {
				t.Errorf("left behind: %v, %v", list, err)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "outside")); err != nil || string(text) != "outside" {
				t.Errorf("outside: %q, %v", text, err)
			}
		})
	}
}

// alignable is a small tree of which two files are to be edited.
func alignable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const doc = "# orders\n\n| Parameter | Value |\n|---|---|\n| Probe interval | 5 s |\n"
	writeFiles(t, dir, map[string]string{
		"poolproof.yaml": "sources:\n  - {side: gateway, format: haproxy, files: [gw.cfg], profile: haproxy-2.6}\n  - {side: doc, format: markdown, files: [\"*/*.md\"]}\n",
		"gw.cfg":         "backend orders\n    mode http\n    option httpchk GET /\n    server a 10.0.0.1:8080 check inter 2s\n",
		"a/a.md":         doc, "b/b.md": doc,
	})
	return dir
}

// aligning starts an alignment of a tree.
func aligning(t *testing.T, dir string) (a *aligner, errs *bytes.Buffer) {
	t.Helper()
	errs = new(bytes.Buffer)
	o := &options{env: environment{err: errs, getenv: func(string) string { return "" }, now: func() time.Time { return playedAt }}, failOn: "error", noCache: true}
	r, err := o.request()
	if err != nil {
		t.Fatal(err)
	}
	w, err := o.openWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	return &aligner{o: o, w: w, request: r, write: true}, errs
}

// shifting is a tree of which one file is another one when it is read again.
type shifting struct {
	tree.Tree
	name  string
	reads *atomic.Int32
}

func (s shifting) Read(p string) ([]byte, error) {
	text, err := s.Tree.Read(p)
	if p == s.name && s.reads.Add(1) > 1 {
		text = append(text, "saved\n"...)
	}
	return text, err
}

// TestAlignChangedWhileRead: a file that is saved while the tree is read is left.
func TestAlignChangedWhileRead(t *testing.T) {
	a, errs := aligning(t, alignable(t))
	a.w.tree = shifting{a.w.tree, "a/a.md", new(atomic.Int32)}
	if _, err := a.find(context.Background()); err != nil || len(a.files) != 1 || a.files[0].path != "b/b.md" {
		t.Fatalf("%v, %d files", err, len(a.files))
	}
	a.locate()
	a.tell()
	if want := "left: a/a.md:5:20: orders: probe.interval is 5s, not 2s: the file changed while it was read; run align again\n"; !strings.Contains(errs.String(), want) {
		t.Errorf("said:\n%s", errs)
	}
}

// TestAlignChangedFile: a file that somebody saves between reading and writing keeps what he saved, and is left; the others
// are written.
func TestAlignChangedFile(t *testing.T) {
	dir := alignable(t)
	a, errs := aligning(t, dir)
	if missing, err := a.find(context.Background()); err != nil || missing != nil || len(a.files) != 2 || len(a.left) != 0 {
		t.Fatalf("%v, %v, %d files, %d left", err, missing, len(a.files), len(a.left))
	}
	a.locate()
	const saved = "# orders\n\nsaved in the meantime\n"
	if err := os.WriteFile(filepath.Join(dir, "a/a.md"), []byte(saved), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := a.makeEdits(context.Background()); err != nil {
		t.Fatal(err)
	}
	a.tell()
	for name, want := range map[string]string{"a/a.md": saved, "b/b.md": "# orders\n\n| Parameter | Value |\n|---|---|\n| Probe interval | 2 s |\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if !strings.Contains(errs.String(), "interval: 5s becomes 2s: not written: it changed since it was read; run align again\n") ||
		!strings.Contains(errs.String(), "edits made: 1, in files: 1; left: 1") {
		t.Errorf("said:\n%s", errs.String())
	}
}

// TestAlignClosed: a folder that takes no new file, and a file closed to writing, are left as they are, and the others are
// written. The run is that of a user who may not do everything.
func TestAlignClosed(t *testing.T) {
	for _, tt := range []struct {
		name, closed string
		mode         fs.FileMode
	}{{"folder", "a", 0o555}, {"file", "a/a.md", 0o444}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := alignable(t)
			program, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "align", dir, "--write", "--no-cache")
			cmd.Args[0] = "poolproof"
			cmd.Env = []string{"LC_ALL=C.UTF-8"}
			cmd.Dir = "/"
			if os.Geteuid() == 0 {
				cmd.Path = openProgram(t, program, dir)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			if err := os.Chmod(filepath.Join(dir, tt.closed), tt.mode); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(filepath.Join(dir, tt.closed), 0o755)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitFindings {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "b/b.md is written") || !strings.Contains(string(out), "interval: 5s becomes 2s: not written: permission denied\n") {
				t.Errorf("said:\n%s", out)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "a/a.md")); err != nil || !strings.Contains(string(text), "5 s") {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// openProgram gives a tree and a copy of the program to everybody, for a user without rights.
func openProgram(t *testing.T, program, dir string) string {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(p, 65534, 65534))
	})
	data, err2 := os.ReadFile(program)
	folder := t.TempDir()
	open := filepath.Join(folder, "poolproof")
	if err := errors.Join(err, err2, os.WriteFile(open, data, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, folder} {
		for at := d; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return open
}
