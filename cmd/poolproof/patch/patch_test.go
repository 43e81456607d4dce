package patch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func diff(t interface{ Fatal(...any) }, f File, o Options) string {
	var b strings.Builder
	if err := Write(&b, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%d\n", i+1)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, old string
		changes   []Change
		want      string
	}{
		{"a value", "a: 1\nb: 2\n", []Change{{3, 4, "7"}}, "@@ -1,2 +1,2 @@\n-a: 1\n+a: 7\n b: 2\n"},
		{"nothing", "a: 1\n", []Change{{3, 4, "1"}}, ""},
		{"a line at the start", "b\n", []Change{{0, 0, "a\n"}}, "@@ -1 +1,2 @@\n+a\n b\n"},
		{"a line at the end", "a\n", []Change{{2, 2, "b\n"}}, "@@ -1 +1,2 @@\n a\n+b\n"},
		{"a line gone", "a\nb\nc\n", []Change{{2, 4, ""}}, "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
		{"a line gone, with the end before it", "a\nb\nc\n", []Change{{1, 3, ""}}, "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
		{"a line behind the end of one", "a\nc\n", []Change{{1, 1, "\nb"}}, "@@ -1,2 +1,3 @@\n a\n+b\n c\n"},
		{"lines that become one", "a\nb\nc\n", []Change{{1, 2, " "}}, "@@ -1,3 +1,2 @@\n-a\n-b\n+a b\n c\n"},
		{"no end of line", "a", []Change{{0, 1, "b"}}, "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"behind the last line that has no end", "a", []Change{{1, 1, "\nb"}}, "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		{"an end of line comes", "a", []Change{{1, 1, "\n"}}, "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"all goes", "a\n", []Change{{0, 2, ""}}, "@@ -1 +0,0 @@\n-a\n"},
		{"into nothing", "", []Change{{0, 0, "a\n"}}, "@@ -0,0 +1 @@\n+a\n"},
		{"line ends of Windows", "a\r\nb\r\n", []Change{{0, 1, "c"}}, "@@ -1,2 +1,2 @@\n-a\r\n+c\r\n b\r\n"},
		{"two on a line", "a b\n", []Change{{0, 1, "x"}, {2, 3, "y"}}, "@@ -1 +1 @@\n-a b\n+x y\n"},
		{"two lines in a row", "a\nb\n", []Change{{0, 1, "x"}, {2, 3, "y"}}, "@@ -1,2 +1,2 @@\n-a\n-b\n+x\n+y\n"},
		{"six lines between", lines(9), []Change{{2, 3, "x"}, {16, 17, "y"}}, "@@ -1,9 +1,9 @@\n 1\n-2\n+x\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+y\n"},
		{"seven lines between", lines(9), []Change{{0, 1, "x\nx"}, {16, 17, "y"}},
			"@@ -1,4 +1,5 @@\n-1\n+x\n+x\n 2\n 3\n 4\n@@ -6,4 +7,4 @@\n 6\n 7\n 8\n-9\n+y\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "--- a/f\n+++ b/f\n" + want
			}
			if got := diff(t, File{"f", []byte(tt.old), tt.changes}, Options{}); got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	for path, want := range map[string]string{
		"docs/a.md":         "diff --git a/docs/a.md b/docs/a.md\n--- a/docs/a.md\n+++ b/docs/a.md\n",
		"docs/my pools.md":  "diff --git a/docs/my pools.md b/docs/my pools.md\n--- a/docs/my pools.md\t\n+++ b/docs/my pools.md\t\n",
		"文档/订单.md":          "diff --git a/文档/订单.md b/文档/订单.md\n--- a/文档/订单.md\n+++ b/文档/订单.md\n",
		"a\x1b[31m\"\\\n.y": `diff --git "a/a\033[31m\"\\\n.y" "b/a\033[31m\"\\\n.y"` + "\n" + `--- "a/a\033[31m\"\\\n.y"` + "\n" + `+++ "b/a\033[31m\"\\\n.y"` + "\n",
		"a\xff\u202e":       `diff --git "a/a\377\342\200\256" "b/a\377\342\200\256"` + "\n" + `--- "a/a\377\342\200\256"` + "\n" + `+++ "b/a\377\342\200\256"` + "\n",
	} {
		got := diff(t, File{path, []byte("a\n"), []Change{{0, 1, "b"}}}, Options{Git: true})
		if want += "@@ -1 +1 @@\n-a\n+b\n"; got != want {
			t.Errorf("%q:\n%s\nwant\n%s", path, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	got := diff(t, File{"f", []byte("a\x1b[2J\nb\n"), []Change{{0, 1, "c"}}}, Options{Color: true, Show: func(s string) string { return strings.ReplaceAll(s, "\x1b", `\x1b`) }})
	want := "\x1b[1m--- a/f\x1b[0m\n\x1b[1m+++ b/f\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n\x1b[31m-a\\x1b[2J\x1b[0m\n\x1b[32m+c\\x1b[2J\x1b[0m\n b\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestApplies: git and patch make of the old text what Apply makes of it, whatever the text, its line ends and the changes.
func TestApplies(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if n++; n > 60 { // each starts two processes
			return
		}
		text := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\r\n", "\n", "c c\n", "d", "-- e\n", "\ufefff\n"}), 1, 30).Draw(t, "text"), ""))
		var changes []Change
		at := 0
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			start := rapid.IntRange(at, len(text)).Draw(t, "start")
			end := rapid.IntRange(start, min(len(text), start+5)).Draw(t, "end")
			changes = append(changes, Change{start, end, rapid.SampledFrom([]string{"", "x", "y\n", "\nz", "v\r\nw", "\n"}).Draw(t, "new")})
			at = end
		}
		name := rapid.SampledFrom([]string{"f", "a file", "文\t\"件\\"}).Draw(t, "name")
		f := File{name, text, changes}
		want := Apply(text, changes)
		out := diff(t, f, Options{Git: rapid.Bool().Draw(t, "git")})
		if out == "" {
			if !bytes.Equal(text, want) {
				t.Fatal("no diff of a change")
			}
			return
		}
		file := filepath.Join(dir, name)
		for _, tool := range [][]string{{"git", "apply"}, {"patch", "-p1", "-s", "--binary", "--posix"}} {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(tool[0], tool[1:]...)
			if tool[0] == "patch" {
				if _, err := exec.LookPath("patch"); err != nil || strings.ContainsAny(name, "\"\\") {
					continue
				}
			}
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(out)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+dir)
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s\n%q", tool[0], err, said, out)
			}
			got, err := os.ReadFile(file)
			if len(want) == 0 && os.IsNotExist(err) {
				continue // an empty file is a deleted one to patch
			}
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s made %q, %v\nwant %q\nof %q\n%s", tool[0], got, err, want, text, out)
			}
		}
	})
}
