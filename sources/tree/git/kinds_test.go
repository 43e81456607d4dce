package git_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

func TestPartialClones(t *testing.T) {
	r := gittest.New(t)
	r.Save("d/f", "1")
	base := r.Save("d/f", "2")
	r.Save("d/f", "3")
	for _, filter := range []string{"blob:none", "tree:0"} {
		c := r.Clone("--filter=" + filter)
		g := open(t, c.Dir)
		same(t, "what is checked out is here", listing(t, at(t, g, "HEAD", "."), "."), "[d/f 3]")
		err := func() error {
			tr, err := g.Tree(resolve(t, g, base), ".")
			if err == nil {
				if filter == "blob:none" {
					// What differs is known without the content.
					same(t, "changes", changes(t, tr, at(t, g, "HEAD", ".")), "[M d/f]")
				}
				_, err = tr.Read("d/f")
			}
			return err
		}()
		c.Shell(wantTrouble(t, err, git.Partial, "git fetch --refetch --no-filter origin").Mend)
		// Even an open repository finds what came.
		same(t, "mended", listing(t, at(t, g, base, "."), "."), "[d/f 2]")
	}
}

func TestMissingAndDamagedObjects(t *testing.T) {
	r := gittest.New(t)
	r.Save("a/f", "1")
	r.Save("b/f", "2")
	lose := func(how string) (*gittest.Repo, *git.Repo) {
		c := r.Clone()
		c.Shell("mv .git/objects/pack/*.pack ..; rm -f .git/objects/pack/*; cat ../*.pack | git unpack-objects -q; rm ../*.pack")
		blob := c.Rev("HEAD:b/f")
		c.Shell("f=.git/objects/" + blob[:2] + "/" + blob[2:] + "; chmod u+w $f; " + how)
		return c, open(t, c.Dir)
	}
	for how, kind := range map[string]git.Kind{"rm $f": git.Missing, ": > $f": git.Corrupt, "echo x > $f": git.Corrupt, "rm $f; mkfifo $f": git.Corrupt} {
		c, g := lose(how)
		_, err := at(t, g, "HEAD", ".").Read("b/f")
		var tr *git.Trouble
		if !errors.As(err, &tr) {
			t.Fatalf("%s: %v", how, err)
		}
		if strings.Contains(how, "mkfifo") {
			wantTrouble(t, err, kind, "git fsck --full") // and it did not hang
			continue
		}
		mend := "git fetch --refetch origin"
		if kind == git.Corrupt {
			blob := c.Rev("HEAD:b/f")
			mend = "rm -f " + c.Path(".git/objects/"+blob[:2]+"/"+blob[2:]) + "; git fetch --refetch origin"
		}
		wantTrouble(t, err, kind, mend)
		c.Shell(tr.Mend)
		same(t, how+", mended", listing(t, at(t, open(t, c.Dir), "HEAD", "."), "."), "[a/f 1 b/f 2]")
	}
}

func TestSubmodules(t *testing.T) {
	inner := gittest.New(t)
	inner.Save("pools/p.yaml", "1")
	deep := gittest.New(t)
	deep.Save("deep", "1")
	inner.Git("submodule", "add", "-q", deep.URL(), "nested")
	first := inner.Commit("with a nested one")
	r := gittest.New(t)
	r.Save("own", "1")
	r.Git("submodule", "add", "-q", "--name", "other/name", inner.URL(), "lib/sub module")
	r.Commit("add")
	before := r.Rev("HEAD")
	inner.Write("pools/new.yaml", "1")
	second := inner.Save("pools/p.yaml", "2")
	r.Shell("cd 'lib/sub module' && git fetch -q && git checkout -q " + second)
	r.Commit("bump")
	r.Git("submodule", "update", "-q", "--init", "--recursive")

	g := open(t, r.Dir)
	a, b := at(t, g, before, "."), at(t, g, "HEAD", ".")
	same(t, "files", listing(t, b, "lib"), "[lib/sub module/.gitmodules "+read(t, b, "lib/sub module/.gitmodules")+
		" lib/sub module/nested/deep 1 lib/sub module/pools/new.yaml 1 lib/sub module/pools/p.yaml 2]")
	same(t, "a bump", changes(t, a, b), "[A lib/sub module/pools/new.yaml M lib/sub module/pools/p.yaml]")
	if id, ok := b.ID("lib/sub module/pools/p.yaml"); !ok || id != inner.Rev("HEAD:pools/p.yaml") {
		t.Errorf("%s, %t", id, ok)
	}
	same(t, "below a prefix", listing(t, at(t, g, "HEAD", "lib/sub module/pools"), "."), "[new.yaml 1 p.yaml 2]")
	same(t, "staged", changes(t, b, index(t, r, ".")), "[]")
	same(t, "the submodule as a repository", resolve(t, open(t, r.Path("lib/sub module/pools")), "HEAD"), second)

	// A clone without submodules.
	c := r.Clone()
	tr := at(t, open(t, c.Dir), "HEAD", ".")
	for _, e := range mustList(t, tr) {
		if e.Path == "lib/sub module" {
			wantTrouble(t, e.Err, git.Submodule, "git submodule update --init --recursive 'lib/sub module'")
		} else if e.Err != nil {
			t.Error(e)
		}
	}
	same(t, "changes", changes(t, at(t, open(t, c.Dir), before, "."), tr), "[! lib/sub module]")
	_, err := tr.Read("lib/sub module/pools/p.yaml")
	c.Shell(wantTrouble(t, err, git.Submodule, "git submodule update --init --recursive 'lib/sub module'").Mend)
	same(t, "mended", changes(t, at(t, open(t, c.Dir), before, "."), at(t, open(t, c.Dir), "HEAD", ".")), "[A lib/sub module/pools/new.yaml M lib/sub module/pools/p.yaml]")

	// A shallow submodule lacks the commit of before.
	s := r.Clone()
	s.Git("submodule", "update", "-q", "--init", "--depth=1")
	_, err = at(t, open(t, s.Dir), before, ".").Read("lib/sub module/pools/p.yaml")
	s.Shell(wantTrouble(t, err, git.Submodule, "git -C 'lib/sub module' fetch origin "+first).Mend)
	same(t, "mended", read(t, at(t, open(t, s.Dir), before, "."), "lib/sub module/pools/p.yaml"), "1")

	// A linked work tree has submodules of its own.
	wt := t.TempDir() + "/wt"
	r.Git("worktree", "add", "-q", wt)
	l := gittest.At(t, wt)
	l.Git("submodule", "update", "-q", "--init")
	same(t, "linked work tree", read(t, at(t, open(t, wt), "HEAD", "."), "lib/sub module/pools/p.yaml"), "2")

	// An old one keeps its git directory in the work tree.
	o := r.Clone("--recurse-submodules")
	o.Shell("cd 'lib/sub module' && d=$(git rev-parse --git-dir) && rm .git && git --git-dir=$d config --unset core.worktree && mv $d .git")
	same(t, "old submodule", read(t, at(t, open(t, o.Dir), "HEAD", "."), "lib/sub module/pools/p.yaml"), "2")
}

func mustList(t testing.TB, tr tree.Tree) []tree.Entry {
	t.Helper()
	list, err := tr.List(".", nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func read(t testing.TB, tr tree.Tree, p string) string {
	t.Helper()
	data, err := tr.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLargeFileStorage(t *testing.T) {
	r := gittest.New(t)
	content := "pools:\n  - a\n"
	sum := sha256.Sum256([]byte(content))
	oid := hex.EncodeToString(sum[:])
	pointer := func(oid string, size int) string {
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, size)
	}
	r.Write(".gitattributes", "*.yaml filter=lfs diff=lfs merge=lfs -text\n")
	r.Write("pool.yaml", pointer(oid, len(content)))
	r.Write("huge.yaml", pointer(oid, tree.MaxFile+1))
	r.Write("about.md", "version https://git-lfs.github.com/spec/v1 is what pointers begin with\n")
	r.Write("text.md", pointer(oid, 1)+strings.Repeat("and so on\n", 200))
	head := r.Commit("lfs")
	r.Git("remote", "add", "origin", "https://example.org/x")
	g := open(t, r.Dir)
	tr := at(t, g, "HEAD", ".")
	_, err := tr.Read("pool.yaml")
	wantTrouble(t, err, git.Pointer, "git lfs fetch origin "+head)
	if !errors.Is(err, git.ErrPointer) {
		t.Error(err)
	}
	_, err = index(t, r, ".").Read("pool.yaml")
	wantTrouble(t, err, git.Pointer, "git lfs pull")
	if _, err := tr.Read("huge.yaml"); !errors.Is(err, tree.ErrTooLarge) {
		t.Error(err)
	}
	read(t, tr, "about.md")
	read(t, tr, "text.md")
	// What git lfs fetch does.
	place := ".git/lfs/objects/" + oid[:2] + "/" + oid[2:4] + "/" + oid
	r.Write(place, strings.ToUpper(content))
	_, err = tr.Read("pool.yaml")
	wantTrouble(t, err, git.Pointer, "git lfs fetch origin "+head)
	r.Write(place, content)
	same(t, "fetched", read(t, tr, "pool.yaml"), content)
}

// TestContentIsAsItIsInGit has attributes and settings that make git convert.
func TestContentIsAsItIsInGit(t *testing.T) {
	r := gittest.New(t)
	r.Write("crlf", "a\r\nb\r\n")
	r.Write("lf", "a\nb\n")
	r.Commit("as they are")
	same(t, "content", listing(t, at(t, open(t, r.Dir), "HEAD", "."), "."), "[crlf a\r\nb\r\n lf a\nb\n]")
	before := r.Rev("HEAD")
	r.Git("config", "core.autocrlf", "true")
	r.Write(".gitattributes", "* text=auto eol=crlf ident\n")
	r.Commit("attributes")
	tr := at(t, open(t, r.Dir), "HEAD", ".")
	same(t, "attributes alone change nothing", changes(t, at(t, open(t, r.Dir), before, "."), tr), "[A .gitattributes]")
	same(t, "content", read(t, tr, "lf"), "a\nb\n")
}

func TestCaseOnlyRenames(t *testing.T) {
	r := gittest.New(t)
	r.Write("Pool/a", "1")
	r.Save("pool.yaml", "1")
	before := r.Rev("HEAD")
	r.Git("mv", "pool.yaml", "Pool.yaml")
	r.Git("mv", "Pool", "pool")
	r.Commit("case")
	r.Write("Straße", "1")
	r.Save("strasse", "2")
	g := open(t, r.Dir)
	same(t, "both names", changes(t, at(t, g, before, "."), at(t, g, "HEAD", ".")), "[D Pool/a A Pool.yaml A Straße A pool/a D pool.yaml A strasse]")
}

func TestLargeFiles(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "core.compression", "1")
	r.Shell("head -c 104857600 /dev/zero > big; head -c 35000000 /dev/urandom > noise; printf 1 > small")
	r.Commit("100 MB")
	r.Shell("printf 2 > small; printf x >> big")
	r.Commit("a delta of 100 MB")
	check := func(how, rev, small string) {
		tr := at(t, open(t, r.Dir), rev, ".")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, p := range []string{"big", "noise"} {
			if _, err := tr.Read(p); !errors.Is(err, tree.ErrTooLarge) {
				t.Errorf("%s, %s: %v", how, p, err)
			}
			if _, ok := tr.ID(p); !ok {
				t.Errorf("%s, %s: no id", how, p)
			}
		}
		same(t, how, read(t, tr, "small"), small)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%s: %d bytes", how, used)
		}
	}
	check("loose", "HEAD", "2")
	r.Git("repack", "-q", "-a", "-d", "--window=2")
	if !strings.Contains(r.Shell("git verify-pack -v .git/objects/pack/*.idx | sort -n -k 3"), "chain length = 1") {
		t.Fatal("nothing was packed as a delta")
	}
	check("packed", "HEAD", "2")
	check("packed before", "HEAD~1", "1")

	r.Write("lines", strings.Repeat("\n", tree.MaxParts+1))
	r.Commit("many lines")
	if _, err := at(t, open(t, r.Dir), "HEAD", ".").Read("lines"); !errors.Is(err, tree.ErrTooMany) {
		t.Error(err)
	}
}

func TestUnsupported(t *testing.T) {
	s := gittest.New(t, "--object-format=sha256")
	s.Save("f", "1")
	_, err := git.Open(s.Dir)
	if tr := wantTrouble(t, err, git.Unsupported, ""); !strings.Contains(tr.What.En, "objectformat sha256") {
		t.Error(tr.What.En)
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{"extensions.refStorage", "reftable", false}, {"extensions.refStorage", "files", true}, {"extensions.objectFormat", "sha1", true}, {"extensions.worktreeConfig", "true", true},
		{"extensions.partialClone", "origin", true}, {"extensions.noop", "x", true}, {"extensions.somethingNew", "x", false}, {"core.repositoryformatversion", "2", false},
	} {
		r := gittest.New(t)
		r.Save("f", "1")
		r.Git("config", "core.repositoryformatversion", "1")
		r.Git("config", c.key, c.value)
		g, err := git.Open(r.Dir)
		if c.ok {
			if err != nil {
				t.Errorf("%v: %v", c, err)
				continue
			}
			resolve(t, g, "HEAD")
			g.Close()
			continue
		}
		if tr := wantTrouble(t, err, git.Unsupported, ""); !strings.Contains(strings.ToLower(tr.What.En), strings.ToLower(c.value)) && !strings.Contains(tr.What.En, "somethingnew") {
			t.Error(tr.What.En)
		}
	}
}

// TestOwners has a repository that git itself refuses, because it belongs to someone else.
func TestOwners(t *testing.T) {
	r := gittest.New(t)
	head := r.Save("f", "1")
	if os.Getuid() == 0 {
		if err := os.Chown(r.Dir, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		if out, err := r.Try("", "status"); err == nil {
			t.Logf("git does not mind: %s", out)
		}
	}
	same(t, "head", resolve(t, open(t, r.Dir), "HEAD"), head)
}
