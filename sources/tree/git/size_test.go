package git_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// large makes a packed repository of 10,600 files and 1,000 commits, whose branch req changes 100 files.
func large(t testing.TB) *gittest.Repo {
	r := gittest.New(t)
	var s strings.Builder
	body := func(i, version int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "pool: p%d\nversion: %d\n", i, version)
		for k := range 20 {
			fmt.Fprintf(&b, "member-%d: {host: h%d.example, weight: %d, zone: z%d}\n", k, i*31+k*7, (i+k)%100, i%9)
		}
		return b.String()
	}
	file := func(i, version int) {
		b := body(i, version)
		fmt.Fprintf(&s, "M 100644 inline d%d/e%d/p%d.yaml\ndata %d\n%s\n", i%20, i%500, i, len(b), b)
	}
	for c := range 1000 {
		branch := "main"
		if c >= 990 {
			branch = "req"
		}
		fmt.Fprintf(&s, "commit refs/heads/%s\nmark :%d\ncommitter A <a@x> %d +0000\ndata 1\nx\n", branch, c+1, gittest.Epoch+60*c)
		switch {
		case c == 0:
			for i := range 10_600 {
				file(i, 0)
			}
		case branch == "main":
			for k := range 10 {
				file((c*37+k*11)%10_600, c)
			}
		default:
			if c == 990 {
				s.WriteString("from :990\n")
			}
			for k := range 10 {
				file((c-990)*1000+k, c)
			}
		}
	}
	r.Pipe(s.String(), "fast-import", "--quiet")
	r.Git("repack", "-q", "-a", "-d", "--depth=50", "--window=10")
	return r
}

func TestLargeRepository(t *testing.T) {
	r := large(t)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g := open(t, r.Dir)
	a, b, list := compare(t, g)
	if len(list) != 100 {
		t.Errorf("%d changes", len(list))
	}
	entries := mustList(t, b)
	if len(entries) != 10_600 {
		t.Errorf("%d files", len(entries))
	}
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 25 {
		t.Errorf("%d MB were allocated before any file was read", made)
	}
	var wait sync.WaitGroup
	for part := range 4 {
		wait.Go(func() {
			for i := part; i < len(entries); i += 4 {
				for _, tr := range []*git.Tree{a, b} {
					if data, err := tr.Read(entries[i].Path); err != nil || !strings.HasPrefix(string(data), "pool: p") {
						t.Errorf("%s: %v", entries[i].Path, err)
					}
				}
			}
		})
	}
	wait.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20; kept > 40 {
		t.Errorf("%d MB are kept after all files were read twice", kept)
	}
}

func compare(t testing.TB, g *git.Repo) (a, b *git.Tree, list []git.Change) {
	t.Helper()
	mb, err := mergeBase(t, g, "main", "req")
	if err != nil {
		t.Fatal(err)
	}
	if a, err = g.Tree(mb, "."); err != nil {
		t.Fatal(err)
	}
	b = at(t, g, "req", ".")
	if list, err = git.Diff(a, b); err != nil {
		t.Fatal(err)
	}
	return a, b, list
}

func BenchmarkCompare(b *testing.B) {
	r := large(b)
	for b.Loop() {
		g, err := git.Open(r.Dir)
		if err != nil {
			b.Fatal(err)
		}
		compare(b, g)
		g.Close()
	}
}

func BenchmarkReadAll(b *testing.B) {
	r := large(b)
	for b.Loop() {
		g, err := git.Open(r.Dir)
		if err != nil {
			b.Fatal(err)
		}
		tr := at(b, g, "main", ".")
		entries := mustList(b, tr)
		var wait sync.WaitGroup
		for part := range 2 {
			wait.Go(func() {
				for i := part; i < len(entries); i += 2 {
					if _, err := tr.Read(entries[i].Path); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wait.Wait()
		g.Close()
	}
}
