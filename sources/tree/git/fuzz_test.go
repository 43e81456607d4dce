package git

import (
	"bytes"
	"crypto/sha1"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func FuzzIndex(f *testing.F) {
	r := gittest.New(f)
	r.Write("a/b", "1")
	r.Write("a/c", "1")
	r.Commit("x")
	for _, version := range []string{"2", "4"} {
		r.Git("update-index", "--index-version="+version)
		data, err := os.ReadFile(filepath.Join(r.Dir, ".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-sha1.Size])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha1.Sum(data)
		entries, err := parseIndex(append(bytes.Clone(data), sum[:]...))
		for _, e := range entries {
			if err == nil && e.path == "" {
				t.Error("an entry without a path")
			}
		}
	})
}

// TestExtensions has indexes of no entries with one extension each.
func TestExtensions(t *testing.T) {
	for name, want := range map[string]string{"TREE": "", "FSMN": "", "ZZZZ": "", "sdir": "", "link": errSplit.Error(), "zzzz": "not known"} {
		data := []byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00" + name + "\x00\x00\x00\x03abc")
		sum := sha1.Sum(data)
		_, err := parseIndex(append(data, sum[:]...))
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzFolder(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("x", 20) + "40000 ..\x00" + strings.Repeat("y", 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parseFolder(data)
		if err != nil {
			return
		}
		for i, n := range d.nodes {
			if forbidden(n.name) || i > 0 && d.nodes[i-1].name >= n.name {
				t.Errorf("%q", n.name)
			}
			if found, ok := d.find(n.name); !ok || found.id != n.id {
				t.Errorf("%q is not found", n.name)
			}
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = true ; x\n[remote \"a\\\"b\"] url = \"x\\ty\" \\\n z\n[a.b]c"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c config
		c.take(data)
		c.unsupported()
		parseCommit(data)
		tree.Pointer(data)
	})
}

func FuzzRevision(f *testing.F) {
	f.Add("main~2^2^{}")
	r := gittest.New(f)
	r.Save("f", "1")
	repo, err := Open(r.Dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, rev string) {
		if _, err := repo.Resolve(rev); err != nil && strings.ContainsAny(err.Error(), "\x00\n\x1b\r") {
			t.Errorf("%q", err)
		}
	})
}

// TestConfigIsReadAsGitDoes compares settings with what git reads.
func TestConfigIsReadAsGitDoes(t *testing.T) {
	r := gittest.New(t)
	r.Write("c", "[Core]\n\tBARE = true ; no\n\tworktree = \"a b\"  # c\n[remote \"x.Y \\\"z\\\\\"]\n\turl = one \\\n  two\n\tpromisor\n[extensions] partialClone = origin\n[branch.Old]\n\tmerge = x#y\n[a]\n\tempty =\n\ttab = \"x\\ty;\"z\n")
	got := map[string]string{}
	data, err := os.ReadFile(r.Path("c"))
	if err != nil {
		t.Fatal(err)
	}
	parseConfig(data, func(section, sub, key, value string) {
		name := section + "."
		if sub != "" {
			name += sub + "."
		}
		got[name+key] = value
	})
	n := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(r.Git("config", "-z", "-f", "c", "--list"), "\x00"), "\x00") {
		key, value, given := strings.Cut(line, "\n")
		if !given {
			value = "true"
		}
		if got[key] != value {
			t.Errorf("%s: %q, git has %q", key, got[key], value)
		}
		n++
	}
	if n != len(got) || n < 8 {
		t.Errorf("%d settings, git has %d", len(got), n)
	}
}
