package git_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func open(t testing.TB, dir string) *git.Repo {
	t.Helper()
	r, err := git.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func resolve(t testing.TB, r *git.Repo, rev string) git.Commit {
	t.Helper()
	c, err := r.Resolve(rev)
	if err != nil {
		t.Fatalf("%s: %v", rev, err)
	}
	return c
}

func at(t testing.TB, r *git.Repo, rev, prefix string) *git.Tree {
	t.Helper()
	tr, err := r.Tree(resolve(t, r, rev), prefix)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// wantTrouble checks the kind and the command that mends it.
func wantTrouble(t testing.TB, err error, kind git.Kind, mend string) *git.Trouble {
	t.Helper()
	var tr *git.Trouble
	if !errors.As(err, &tr) {
		t.Fatalf("got %v, want %s", err, kind)
	}
	if tr.Kind != kind || tr.Mend != mend {
		t.Fatalf("got %s, %q (%v); want %s, %q", tr.Kind, tr.Mend, err, kind, mend)
	}
	if tr.What.En == "" || tr.What.Zh == "" || tr.What.Zh == tr.What.En {
		t.Errorf("not in both languages: %+v", tr.What)
	}
	return tr
}

// listing is what a tree holds: path and content, or path and error.
func listing(t testing.TB, tr tree.Tree, dir string) []string {
	t.Helper()
	entries, err := tr.List(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if e.Err != nil {
			all = append(all, e.Path+" !")
			continue
		}
		if g, ok := tr.(*git.Tree); ok {
			if id, known := g.ID(e.Path); !known || id != e.ID {
				t.Errorf("%s is listed as %q, and is %q", e.Path, e.ID, id)
			}
		}
		data, err := tr.Read(e.Path)
		if err != nil {
			all = append(all, e.Path+" !!")
			continue
		}
		all = append(all, e.Path+" "+string(data))
	}
	return all
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	g, w := fmt.Sprint(got), fmt.Sprint(want)
	if g == w {
		return
	}
	from := 0
	for from < min(len(g), len(w)) && g[from] == w[from] {
		from++
	}
	from = max(0, from-200)
	t.Errorf("%s:\n got %.500q\nwant %.500q", what, g[from:], w[from:])
}

// changes is a diff in short form.
func changes(t testing.TB, a, b *git.Tree) []string {
	t.Helper()
	list, err := git.Diff(a, b)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range list {
		mark := "M "
		switch {
		case c.Err != nil:
			mark = "! "
		case c.Before == git.Version{}:
			mark = "A "
		case c.After == git.Version{}:
			mark = "D "
		}
		out = append(out, mark+c.Path)
	}
	return out
}

func TestOpen(t *testing.T) {
	r := gittest.New(t)
	head := r.Save("a/b/c.yaml", "x: 1\n")
	wt := filepath.Join(t.TempDir(), "linked")
	r.Git("worktree", "add", "-q", "-b", "side", wt)
	linked := gittest.At(t, wt)
	side := linked.Save("side.yaml", "y: 1\n")
	bare := r.Clone("--bare")

	for _, c := range []struct{ name, dir, root, rev, want string }{
		{"work tree", r.Dir, r.Dir, "HEAD", head},
		{"a folder inside", r.Path("a/b"), r.Dir, "HEAD", head},
		{"a file inside", r.Path("a/b/c.yaml"), r.Dir, "HEAD", head},
		{"the git directory", r.Path(".git"), r.Dir, "HEAD", head},
		{"bare", bare.Dir, "", "HEAD", head},
		{"inside bare", filepath.Join(bare.Dir, "refs"), "", "main", head},
		{"linked work tree", wt, wt, "HEAD", side},
		{"linked work tree, a shared branch", wt, wt, "main", head},
	} {
		g := open(t, c.dir)
		same(t, c.name+": root", g.Root(), c.root)
		same(t, c.name, resolve(t, g, c.rev), c.want)
	}

	g := open(t, r.Dir)
	for dir, want := range map[string]string{r.Dir: ".", r.Path("a/b"): "a/b"} {
		p, err := g.Prefix(dir)
		if err != nil || p != want {
			t.Errorf("prefix of %s: %q, %v", dir, p, err)
		}
	}
	if _, err := g.Prefix(t.TempDir()); err == nil {
		t.Error("a folder outside has a prefix")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.Path("a"), link); err != nil {
		t.Fatal(err)
	}
	if p, err := g.Prefix(link); err != nil || p != "a" {
		t.Errorf("through a link: %q, %v", p, err)
	}
	same(t, "opened through a link", open(t, link).Root(), r.Dir)
}

func TestNoRepository(t *testing.T) {
	empty := t.TempDir()
	_, err := git.Open(empty)
	wantTrouble(t, err, git.NotRepository, "")
	_, err = git.Open(filepath.Join(empty, "none"))
	wantTrouble(t, err, git.NotRepository, "")

	r := gittest.New(t)
	r.Save("a/b", "1")
	// A path that names another repository does not end up in this one.
	_, err = git.OpenPath(r.Path("a"))
	wantTrouble(t, err, git.NotRepository, "")
	if g, err := git.OpenPath(r.Dir); err != nil {
		t.Error(err)
	} else {
		g.Close()
	}
	// A folder that is only called .git is passed over, as git does.
	if err := os.MkdirAll(r.Path("a/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	same(t, "above an empty .git", open(t, r.Path("a")).Root(), r.Dir)
	// A .git file that leads nowhere ends the search, as git does.
	gittest.At(t, r.Path("a")).Write("w/.git", "gitdir: /nowhere/at/all\n")
	_, err = git.Open(r.Path("a/w"))
	wantTrouble(t, err, git.NotRepository, "git worktree repair")
}

func TestResolve(t *testing.T) {
	r := gittest.New(t)
	first := r.Save("f", "1")
	second := r.Save("f", "2")
	r.Git("tag", "light")
	r.Git("tag", "-a", "-m", "x", "v1")
	r.Git("tag", "-a", "-m", "of a tag", "v1-signed", "v1")
	r.Git("checkout", "-q", "-b", "feature/über", first)
	side := r.Save("g", "1")
	r.Git("checkout", "-q", "main")
	merge := r.Merge("feature/über")
	blob := r.Rev("HEAD:f")
	r.Git("tag", "a-file", blob)
	check := func(t *testing.T, dir string, extra map[string]string) {
		g := open(t, dir)
		for rev, want := range map[string]string{
			merge: merge, strings.ToUpper(merge): merge, merge[:7]: merge, merge[:9]: merge,
			"HEAD": merge, "@": merge, "main": merge, "heads/main": merge, "refs/heads/main": merge,
			"HEAD~1": second, "HEAD^": second, "HEAD^1": second, "HEAD^2": side, "HEAD~2": first, "HEAD^2~1": first, "HEAD^^": first, "HEAD~~": first, "HEAD^0": merge, "HEAD~0": merge,
			"light": second, "v1": second, "tags/v1": second, "v1-signed": second, "v1^{}": second, "v1^{commit}~1": first,
		} {
			if out, err := gittest.At(t, dir).Try("", "rev-parse", "--verify", "-q", rev+"^{commit}"); err == nil && out != want {
				t.Errorf("%s: git says %s, the test %s", rev, out, want)
			}
			same(t, rev, resolve(t, g, rev), want)
		}
		for rev, want := range extra {
			same(t, rev, resolve(t, g, rev), want)
		}
	}
	t.Run("loose", func(t *testing.T) { check(t, r.Dir, map[string]string{"feature/über": side}) })
	r.Git("pack-refs", "--all")
	r.Git("gc", "-q")
	t.Run("packed", func(t *testing.T) { check(t, r.Dir, map[string]string{"feature/über": side}) })
	c := r.Clone()
	t.Run("cloned", func(t *testing.T) {
		check(t, c.Dir, map[string]string{"origin/main": merge, "origin": merge, "remotes/origin/feature/über": side, "feature/über": side})
	})

	g := open(t, r.Dir)
	for _, rev := range []string{"", "-x", "--upload-pack=x", "a\x00b", "a\nb", "\x1b[31m", "main:f", "a..b", "main@{1}", "@{u}", ":/x", "HEAD^{/x}", "HEAD^@", "HEAD~99999999999", "HEAD^{tree}", "HEAD~x", "a b", "*", strings.Repeat("a", 5000)} {
		_, err := g.Resolve(rev)
		tr := wantTrouble(t, err, git.UnknownRevision, "")
		if strings.ContainsAny(tr.What.En+tr.What.Zh, "\x00\n\x1b") {
			t.Errorf("control characters of %q are shown", rev)
		}
	}
	for _, rev := range []string{"none", "HEAD~9", "HEAD^3", "refs/../../secret", "../HEAD", "a-file", blob, "deadbeef", strings.Repeat("0", 40), "config", ".git", "refs/heads"} {
		_, err := g.Resolve(rev)
		var tr *git.Trouble
		if !errors.As(err, &tr) || tr.Kind != git.UnknownRevision {
			t.Errorf("%s: %v", rev, err)
		}
	}
}

// TestTheServersBranch is the checkout of a pull request from a fork whose own branch is called main.
func TestTheServersBranch(t *testing.T) {
	r := gittest.New(t)
	base := r.Save("f", "1")
	c := r.Clone()
	fork := c.Save("f", "2")
	g := open(t, c.Dir)
	for _, name := range []string{"main", "refs/heads/main"} {
		got, err := g.ResolveBranch(name)
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, got, base)
	}
	same(t, "main as git has it", resolve(t, g, "main"), fork)
	mb, err := g.MergeBase(resolve(t, g, "origin/main"), resolve(t, g, "HEAD"))
	if err != nil || mb.String() != base {
		t.Errorf("%s, %v", mb, err)
	}
	c.Git("checkout", "-q", "-b", "only-here")
	if got, err := g.ResolveBranch("only-here"); err != nil || got.String() != fork {
		t.Errorf("a local branch: %s, %v", got, err)
	}
	if _, err := g.ResolveBranch("-x"); err == nil {
		t.Error("-x is a branch")
	}
}

func TestEmptyRepository(t *testing.T) {
	r := gittest.New(t)
	g := open(t, r.Dir)
	_, err := g.Resolve("HEAD")
	wantTrouble(t, err, git.EmptyRepository, "")
	idx, err := g.Index(".")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "index", listing(t, idx, "."), []string{})
	r.Write("a", "1")
	r.Git("add", "a")
	if idx, err = g.Index("."); err != nil {
		t.Fatal(err)
	}
	same(t, "staged before the first commit", listing(t, idx, "."), []string{"a 1"})
}

func TestUnknownRevisionsAreFetched(t *testing.T) {
	r := gittest.New(t)
	r.Save("f", "1")
	r.Git("checkout", "-q", "-b", "other/branch")
	other := r.Save("f", "2")
	r.Git("checkout", "-q", "main")
	c := r.Clone("--single-branch", "--depth=1")
	for _, rev := range []string{"other/branch", "origin/other/branch", "refs/heads/other/branch"} {
		_, err := open(t, c.Dir).Resolve(rev)
		tr := wantTrouble(t, err, git.UnknownRevision, "git fetch origin +refs/heads/other/branch:refs/remotes/origin/other/branch")
		if !strings.Contains(tr.What.En, "fetch-depth: 0") {
			t.Errorf("no word on shallow clones: %s", tr.What.En)
		}
	}
	_, err := open(t, c.Dir).Resolve(other)
	mend := wantTrouble(t, err, git.UnknownRevision, "git fetch origin "+other).Mend
	c.Shell(mend)
	same(t, "a commit by name", resolve(t, open(t, c.Dir), other), other)
	_, err = open(t, c.Dir).Resolve("other/branch")
	c.Shell(wantTrouble(t, err, git.UnknownRevision, "git fetch origin +refs/heads/other/branch:refs/remotes/origin/other/branch").Mend)
	same(t, "a branch", resolve(t, open(t, c.Dir), "other/branch"), other)

	r.Git("branch", "$(>canary);x")
	_, err = open(t, c.Dir).Resolve("$(>canary);x")
	var tr *git.Trouble
	if !errors.As(err, &tr) {
		t.Fatal(err)
	}
	c.Shell(tr.Mend)
	if _, err := os.Stat(c.Path("canary")); err == nil {
		t.Error("the name of a branch was run")
	}
	resolve(t, open(t, c.Dir), "$(>canary);x")
	_, err = open(t, r.Dir).Resolve("nothing")
	wantTrouble(t, err, git.UnknownRevision, "")
}

func TestListAndRead(t *testing.T) {
	r := gittest.New(t)
	r.Write("a.b/x", "1")
	r.Write("a/b/c", "2")
	r.Write("a-b", "3")
	r.Write("中文/池 一.yaml", "4")
	r.Write("naïve/"+strings.Repeat("long-", 40)+"/"+strings.Repeat("name-", 45), "5")
	r.Write("empty", "")
	r.Commit("x")
	r.Write("a/b/c", "dirty") // never seen
	g := open(t, r.Dir)
	tr := at(t, g, "HEAD", ".")
	same(t, "revision", tr.Revision(), r.Rev("HEAD"))
	entries, err := tr.List(".", nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	if !slices.IsSorted(paths) || len(paths) != 6 {
		t.Errorf("%q", paths)
	}
	same(t, "below a folder", listing(t, tr, "a"), []string{"a/b/c 2"})
	same(t, "a file", listing(t, tr, "a-b"), []string{"a-b 3"})
	same(t, "no file", listing(t, tr, "中文"), []string{"中文/池 一.yaml 4"})
	some, err := tr.List(".", func(d string) bool { return d == "a" || d == "中文" || d == "naïve" })
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	for _, e := range some {
		skipped = append(skipped, e.Path)
	}
	same(t, "skipped", skipped, []string{"a-b", "a.b/x", "empty"})
	same(t, "a prefix", listing(t, at(t, g, "HEAD", "a"), "."), []string{"b/c 2"})
	same(t, "a prefix that is not there", listing(t, at(t, g, "HEAD", "gone/by"), "."), []string{})
	if _, err := g.Tree(resolve(t, g, "HEAD"), "a-b"); !errors.Is(err, tree.ErrNotRegular) {
		t.Errorf("a file as prefix: %v", err)
	}
	if _, err := g.Tree(resolve(t, g, "HEAD"), "../x"); !errors.Is(err, tree.ErrOutside) {
		t.Errorf("a prefix outside: %v", err)
	}
	id, ok := tr.ID("a/b/c")
	if want := r.Rev("HEAD:a/b/c"); !ok || id != want {
		t.Errorf("id %s, %t; want %s", id, ok, want)
	}
	for p, want := range map[string]error{
		"none": os.ErrNotExist, "a/none": os.ErrNotExist, "a-b/x": os.ErrNotExist, "a": tree.ErrNotRegular, ".": tree.ErrNotRegular,
		"../x": tree.ErrOutside, "a/../../x": tree.ErrOutside, "/etc/passwd": tree.ErrOutside,
	} {
		if _, err := tr.Read(p); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", p, err, want)
		}
		if _, ok := tr.ID(p); ok {
			t.Errorf("%s has an id", p)
		}
	}
	if _, err := tr.List("none", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
