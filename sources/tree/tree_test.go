package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, path, env string
		ok                 bool
	}{
		{"app/*.yaml", "app/a.yaml", "", true},
		{"app/*.yaml", "app/b/a.yaml", "", false},
		{"docs/**/*.md", "docs/a.md", "", true},
		{"docs/**/*.md", "docs/a/b/c.md", "", true},
		{"docs/**", "docs/a/b", "", true},
		{"envs/{env}/gateway/*.cfg", "envs/prod/gateway/h.cfg", "prod", true},
		{"envs/{env}/gateway/*.cfg", "envs/a/b/gateway/h.cfg", "", false},
		{"app-{env}.yaml", "app-prod.yaml", "prod", true},
		{"{a,b}.cfg", "b.cfg", "", true},
		{"h?[ap]*.cfg", "haxxx.cfg", "", false},
		{"h?[!x]*.cfg", "haproxy.cfg", "", true},
		{"a.b", "axb", "", false},
		{"./a.b", "a.b", "", true},
		{"配置/*.md", "配置/订单.md", "", true},
	} {
		g, err := CompileGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if env, ok := g.Match(c.path); env != c.env || ok != c.ok {
			t.Errorf("%s on %s: %q, %v", c.pattern, c.path, env, ok)
		}
	}
	for _, bad := range []string{"", "/etc/*", "../a", "a/../../b", "{env}/{env}", "a{b", "a[b", "[z-a]"} {
		if _, err := CompileGlob(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	for pattern, base := range map[string]string{"a/b/*.c": "a/b", "*.c": ".", "a/b.c": "a/b.c", "a/b*/c": "a"} {
		if g, _ := CompileGlob(pattern); g.Base() != base {
			t.Errorf("base of %s: %s", pattern, g.Base())
		}
	}
}

func TestWork(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("a/one.txt", "1")
	write("a/b/two.txt", "2")
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o644); err != nil {
		t.Fatal(err)
	}
	link(filepath.Join(outside, "secret"), "a/escape")
	link("../..", "a/b/up")
	link("..", "a/b/loop")
	link("b", "a/inside")
	link("x", "y")
	link("y", "x")
	if err := syscall.Mkfifo(filepath.Join(dir, "a/pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, MaxFile+1); err != nil {
		t.Fatal(err)
	}

	w, err := OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for p, want := range map[string]error{
		"a/escape": ErrOutside, "a/pipe": ErrNotRegular, "big": ErrTooLarge, "none": fs.ErrNotExist, "a": ErrNotRegular,
		"x": syscall.ELOOP,
	} {
		if _, err := w.Read(p); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", p, err, want)
		}
	}
	if text, err := w.Read("a/inside/two.txt"); err != nil || string(text) != "2" {
		t.Errorf("through a link: %q, %v", text, err)
	}
	list, err := w.List("a", nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range list {
		s := e.Path
		if e.Err != nil {
			s += " !"
		}
		paths = append(paths, s)
	}
	got := strings.Join(paths, "\n")
	// "up" leads to the root itself, whose listing would come back here; it is followed once and then known.
	if strings.Contains(got, "a/b/up/a/b/up") {
		t.Errorf("a loop was followed:\n%s", got)
	}
	for _, p := range []string{"a/b/two.txt", "a/escape !", "a/inside/two.txt", "a/one.txt", "a/pipe !"} {
		if !strings.Contains("\n"+got+"\n", "\n"+p+"\n") {
			t.Errorf("%s is not listed:\n%s", p, got)
		}
	}
}

// TestCrowded: what counts is how many parts a file has, not how long they are.
func TestCrowded(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                        false,
		strings.Repeat("\n", MaxParts):            false,
		strings.Repeat("a\n", MaxParts+1):         true,
		strings.Repeat("[],", MaxParts/2+1):       true,
		strings.Repeat("|", MaxParts+1):           true,
		strings.Repeat("x", 2*MaxParts):           false,
		strings.Repeat("a: {b, c}\n", MaxParts/2): false,
	} {
		if got := Crowded([]byte(text)); got != want {
			t.Errorf("%d bytes, %.10q...: %v", len(text), text, got)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte(strings.Repeat("a\n", MaxParts+1)), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Read("a"); !errors.Is(err, ErrTooMany) {
		t.Errorf("%v", err)
	}
}
