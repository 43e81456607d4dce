package git_test

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func index(t testing.TB, r *gittest.Repo, prefix string) *git.Tree {
	t.Helper()
	tr, err := open(t, r.Dir).Index(prefix)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// staged makes a repository with every kind of staged change, and says what a commit would hold.
func staged(t *testing.T) (*gittest.Repo, string) {
	r := gittest.New(t)
	for i := range 30 {
		r.Write(fmt.Sprintf("dir%d/sub/file%d", i%3, i), fmt.Sprint(i))
	}
	r.Write("dir0.txt", "x")
	r.Write("中文/池", "x")
	r.Write("long/"+strings.Repeat("very-long-path/", 240)+"x", "x")
	r.Link("dir0.txt", "link")
	r.Commit("x")
	r.Write("dir1/sub/file1", "staged")
	r.Write("new", "staged")
	r.Git("add", "dir1", "new")
	r.Git("rm", "-q", "dir2/sub/file2")
	r.Write("dir1/sub/file1", "not staged")
	r.Write("untracked", "x")
	r.Write("announced/one", "x")
	r.Git("add", "-N", "announced/one")
	return r, r.Git("write-tree")
}

func TestIndexIsWhatACommitWouldHold(t *testing.T) {
	r, want := staged(t)
	expected := func(t *testing.T) []string {
		g := open(t, r.Dir)
		return listing(t, at(t, g, r.CommitTree(want), "."), ".")
	}(t)
	if !strings.Contains(strings.Join(expected, "\n"), "new staged") || len(expected) < 30 {
		t.Fatal(expected)
	}
	for _, how := range [][]string{
		{"update-index", "--index-version=2"}, {"update-index", "--index-version=3"}, {"update-index", "--index-version=4"}, {"update-index", "--untracked-cache"}, {"config", "index.threads", "true"},
	} {
		r.Git(how...)
		r.Git("update-index", "-q", "--really-refresh", "--force-write-index")
		idx := index(t, r, ".")
		same(t, strings.Join(how, " "), listing(t, idx, "."), expected)
		same(t, "revision", idx.Revision(), git.Staged)
		id, ok := idx.ID("dir1/sub/file1")
		if !ok || id != r.Git("rev-parse", ":dir1/sub/file1") {
			t.Errorf("%s, %t", id, ok)
		}
	}
	g := open(t, r.Dir)
	same(t, "staged changes", changes(t, at(t, g, "HEAD", "."), index(t, r, ".")), "[M dir1/sub/file1 D dir2/sub/file2 A new]")
	same(t, "a prefix", listing(t, index(t, r, "dir2/sub"), "."), listing(t, at(t, g, r.CommitTree(want), "dir2/sub"), "."))

	// Without a checksum, as index.skipHash has it.
	data, err := os.ReadFile(r.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	copy(data[len(data)-sha1.Size:], make([]byte, sha1.Size))
	if err := os.WriteFile(r.Path(".git/index"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	same(t, "no checksum", listing(t, index(t, r, "."), "."), expected)
}

func TestSparse(t *testing.T) {
	r := gittest.New(t)
	for _, d := range []string{"a", "b", "c"} {
		r.Write(d+"/x/f", d)
		r.Write(d+"/f", d)
	}
	r.Commit("x")
	c := r.Clone()
	want := listing(t, index(t, c, "."), ".")
	for _, sparseIndex := range []string{"--no-sparse-index", "--sparse-index"} {
		c.Git("sparse-checkout", "set", "--cone", sparseIndex, "a")
		if _, err := os.Stat(c.Path("b")); err == nil {
			t.Fatal("not sparse")
		}
		if has := strings.Contains(c.Git("ls-files", "--sparse"), "b/\n"); has != (sparseIndex == "--sparse-index") {
			t.Fatal("the index is not as it should be")
		}
		c.Write("a/f", "staged")
		c.Git("add", "a/f")
		idx := index(t, c, ".")
		same(t, sparseIndex, listing(t, idx, "."), strings.Replace(fmt.Sprint(want), "a/f a", "a/f staged", 1))
		same(t, "changes", changes(t, at(t, open(t, c.Dir), "HEAD", "."), idx), "[M a/f]")
	}
}

func TestSplitIndex(t *testing.T) {
	r, want := staged(t)
	r.Git("update-index", "--split-index")
	_, err := open(t, r.Dir).Index(".")
	wantTrouble(t, err, git.Unsupported, "git update-index --no-split-index")
	r.Write("more", "x")
	r.Git("add", "more")
	r.Git("rm", "-q", "--cached", "more")
	_, err = open(t, r.Dir).Index(".")
	r.Shell(wantTrouble(t, err, git.Unsupported, "git update-index --no-split-index").Mend)
	same(t, "mended", listing(t, index(t, r, "."), "."), listing(t, at(t, open(t, r.Dir), r.CommitTree(want), "."), "."))
}

func TestConflictsInTheIndex(t *testing.T) {
	r := gittest.New(t)
	r.Write("other", "x")
	r.Save("d/f", "1")
	r.Git("checkout", "-q", "-b", "a")
	r.Write("new", "2")
	r.Save("d/f", "2")
	r.Git("checkout", "-q", "main")
	r.Write("new", "3")
	r.Save("d/f", "3")
	if _, err := r.Try("", "merge", "a"); err == nil {
		t.Fatal("no conflict")
	}
	idx := index(t, r, ".")
	same(t, "entries", listing(t, idx, "."), "[d/f ! new ! other x]")
	_, err := idx.Read("d/f")
	mend := wantTrouble(t, err, git.Conflict, "git add d/f").Mend
	same(t, "changes", changes(t, at(t, open(t, r.Dir), "HEAD", "."), idx), "[! d/f ! new]")
	r.Write("d/f", "4")
	r.Write("new", "4")
	r.Shell(mend + "; git add new")
	same(t, "mended", listing(t, index(t, r, "."), "."), "[d/f 4 new 4 other x]")
}

func TestDamagedIndex(t *testing.T) {
	r, _ := staged(t)
	r.Git("update-index", "--index-version=4")
	data, err := os.ReadFile(r.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(data)
	flipped[len(flipped)/2] ^= 1
	for name, bad := range map[string][]byte{"empty": {}, "cut": data[:len(data)/2], "flipped": flipped, "text": bytes.Repeat([]byte("x"), 100)} {
		if err := os.WriteFile(r.Path(".git/index"), bad, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, r.Dir).Index(".")
		var tr = wantTrouble(t, err, git.BadIndex, "rm .git/index; git reset -q")
		if name == "cut" {
			r.Shell(tr.Mend)
			index(t, r, ".")
		}
	}
}
