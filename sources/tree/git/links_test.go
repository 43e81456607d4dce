package git_test

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func TestLinks(t *testing.T) {
	r := gittest.New(t)
	r.Write("secret", "s")
	r.Write("root/real/file", "1")
	for target, name := range map[string]string{
		"real/file": "to-file", "real": "to-folder", "..": "up", ".": "self", "to-self": "to-self", "loop-b": "loop-a", "loop-a": "loop-b",
		"/etc/passwd": "absolute", "../secret": "out", "../root/real/file": "out-and-in", "nothing": "dangling", "to-folder/file": "chain", "real/../real/file": "dots",
	} {
		r.Link(target, "root/"+name)
	}
	r.Link("../../root/real", "root/real/own")
	r.Commit("links")
	tr := at(t, open(t, r.Dir), "HEAD", "root")
	for p, want := range map[string]error{
		"to-file": nil, "to-folder/file": nil, "chain": nil, "dots": nil, "self/self/to-file": nil,
		"to-self": tree.ErrNotRegular, "loop-a": tree.ErrNotRegular, "loop-b/x": tree.ErrNotRegular, "absolute": tree.ErrOutside, "out": tree.ErrOutside,
		"out-and-in": tree.ErrOutside, "up": tree.ErrOutside, "dangling": os.ErrNotExist, "to-folder": tree.ErrNotRegular, "real/own/file": tree.ErrOutside,
	} {
		data, err := tr.Read(p)
		if !errors.Is(err, want) || err == nil && string(data) != "1" {
			t.Errorf("%s: %q, %v; want %v", p, data, err, want)
		}
		if _, ok := tr.ID(p); ok != (want == nil) {
			t.Errorf("%s has an id: %t", p, ok)
		}
	}
	// A link to a link in a row of many.
	for i := range 60 {
		target := fmt.Sprint("row", i+1)
		if i == 59 {
			target = "real/file"
		}
		r.Link(target, fmt.Sprint("root/row", i))
	}
	r.Commit("row")
	tr = at(t, open(t, r.Dir), "HEAD", "root")
	if _, err := tr.Read("row25"); err != nil {
		t.Error(err)
	}
	if _, err := tr.Read("row0"); !errors.Is(err, tree.ErrNotRegular) {
		t.Errorf("60 links: %v", err)
	}
}

// TestTreesAreAsWorkTrees compares a commit with its checkout, on random folders full of links.
func TestTreesAreAsWorkTrees(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	links := 0
	for range 8 {
		r := gittest.New(t)
		dirs := []string{"."}
		var all []string
		for i := range 25 {
			p := path.Join(dirs[rng.Intn(len(dirs))], fmt.Sprint("n", i))
			switch rng.Intn(5) {
			case 0, 1:
				r.Write(p, p)
			case 2:
				r.Write(p+"/x", p)
				dirs = append(dirs, p)
			default:
				targets := append([]string{"..", ".", "../..", "x", "../n3", "none", "/tmp"}, all...)
				target := targets[rng.Intn(len(targets))]
				if rng.Intn(2) == 0 && len(all) > 0 {
					target = strings.Repeat("../", strings.Count(p, "/")) + all[rng.Intn(len(all))]
				}
				r.Link(target, p)
				links++
			}
			all = append(all, p)
		}
		r.Commit("x")
		g := open(t, r.Dir)
		idx := func(prefix string) *git.Tree {
			tr, err := g.Index(prefix)
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}
		for _, dir := range dirs {
			w, err := tree.OpenWork(r.Path(dir))
			if err != nil {
				t.Fatal(err)
			}
			want := notGit(listing(t, w, "."))
			same(t, "commit", listing(t, at(t, g, "HEAD", dir), "."), want)
			same(t, "index", listing(t, idx(dir), "."), want)
			w.Close()
		}
	}
	if links < 40 {
		t.Errorf("%d links", links)
	}
}

// notGit leaves out what is in git's own folder.
func notGit(list []string) []string {
	left := []string{}
	for _, e := range list {
		if !strings.HasPrefix(e, ".git/") && !strings.Contains(e, "/.git/") {
			left = append(left, e)
		}
	}
	return left
}
