package git_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// TestNothingIsRun asks everything of a repository whose configuration runs a program at every turn.
func TestNothingIsRun(t *testing.T) {
	r := gittest.New(t)
	base := r.Save("f.yaml", "1")
	r.Write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	r.Git("checkout", "-q", "-b", "req")
	r.Save("f.yaml", "2")
	canary := filepath.Join(t.TempDir(), "canary")
	evil := r.Path("evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho run >> "+canary+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	included := filepath.Join(t.TempDir(), "included")
	if err := os.WriteFile(included, []byte("[extensions]\n\tobjectformat = sha256\n[core]\n\tfsmonitor = "+evil+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, kv := range [][2]string{
		{"core.fsmonitor", evil}, {"filter.evil.smudge", evil}, {"filter.evil.clean", evil}, {"filter.evil.process", evil}, {"filter.evil.required", "true"}, {"diff.evil.textconv", evil},
		{"diff.external", evil}, {"core.sshCommand", evil}, {"core.pager", evil}, {"core.editor", evil}, {"core.gitProxy", evil}, {"credential.helper", evil}, {"core.askPass", evil},
		{"core.hooksPath", r.Path("hooks")}, {"include.path", included}, {"includeIf.gitdir:/.path", included}, {"uploadpack.packObjectsHook", evil}, {"core.alternateRefsCommand", evil},
		{"remote.origin.url", "ext::" + evil}, {"remote.origin.vcs", "evil"}, {"url." + evil + ".insteadOf", "https://"}, {"gpg.program", evil}, {"protocol.ext.allow", "always"},
	} {
		// A section is written by hand: git itself must not meet the settings before.
		f, err := os.OpenFile(r.Path(".git/config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		first, last := strings.Index(kv[0], "."), strings.LastIndex(kv[0], ".")
		section := "[" + kv[0][:first]
		if last > first {
			section += fmt.Sprintf(" %q", kv[0][first+1:last])
		}
		fmt.Fprintf(f, "%s]\n\t%s = %s\n", section, kv[0][last+1:], kv[1])
		f.Close()
	}
	for _, h := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"} {
		for _, dir := range []string{"hooks", ".git/hooks"} {
			r.Write(dir+"/"+h, "#!/bin/sh\necho run >> "+canary+"\n")
			if err := os.Chmod(r.Path(dir+"/"+h), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Try("", "status")
	if _, err := os.Stat(canary); err != nil {
		t.Fatal("git itself runs nothing: the trap is none")
	}
	if err := os.Remove(canary); err != nil {
		t.Fatal(err)
	}

	g := open(t, r.Dir)
	head := resolve(t, g, "HEAD")
	mb, err := mergeBase(t, g, "main", "req")
	if err != nil || mb.String() != base {
		t.Fatal(mb, err)
	}
	before, after := at(t, g, "main", "."), at(t, g, "req", ".")
	same(t, "changes", changes(t, before, after), "[A .gitattributes M f.yaml]")
	same(t, "content", listing(t, after, "f.yaml"), "[f.yaml 2]")
	listing(t, index(t, r, "."), ".")
	if _, err := g.Contains("main", head); err != nil {
		t.Error(err)
	}
	g.Resolve("origin/none")
	if o, err := git.OpenURL(t.Context(), r.URL(), git.Fetch{}); err != nil {
		t.Error(err)
	} else {
		resolve(t, o, "HEAD")
		o.Close()
	}
	if ran, err := os.ReadFile(canary); err == nil {
		t.Errorf("something was run:\n%s", ran)
	}
}

// TestForbiddenNames has trees that only a hostile hand makes.
func TestForbiddenNames(t *testing.T) {
	r := gittest.New(t)
	blob := r.Object("blob", "1")
	sub := r.Tree([3]string{"100644", "passwd", blob})
	for _, name := range []string{"..", ".", "", ".git", ".GIT", "a/b", "/etc", "../x"} {
		top := r.Tree([3]string{"40000", name, sub}, [3]string{"100644", "ok", blob})
		folder := r.Tree([3]string{"40000", "d", top}, [3]string{"100644", name, blob})
		g := open(t, r.Dir)
		tr := at(t, g, r.CommitTree(folder), ".")
		same(t, name, listing(t, tr, "."), "[. ! d ! d/ok 1]")
		for _, e := range mustList(t, tr) {
			if e.Err != nil {
				wantTrouble(t, e.Err, git.BadTree, "")
			}
		}
		if p := "d/" + name + "/passwd"; name != "" && name != "." {
			if data, err := tr.Read(p); err == nil {
				t.Errorf("%s: %q", p, data)
			}
		}
		empty := at(t, g, r.CommitTree(r.Tree()), ".")
		if got := fmt.Sprint(changes(t, empty, tr)); !strings.HasPrefix(got, "[! . ") || strings.Contains(got, "passwd") {
			t.Error(got)
		}
	}
	for what, entries := range map[string][][3]string{
		"twice":          {{"100644", "x", blob}, {"100755", "x", blob}},
		"two kinds":      {{"100644", "x", blob}, {"40000", "x", sub}},
		"a strange mode": {{"070000", "x", blob}, {"100644", "y", blob}},
	} {
		got := listing(t, at(t, open(t, r.Dir), r.CommitTree(r.Tree(entries...)), "."), ".")
		if !strings.Contains(fmt.Sprint(got), "!") {
			t.Errorf("%s: %s", what, got)
		}
	}
	// A blob where a folder is said to be, a folder where a blob is, a commit without a tree.
	tr := at(t, open(t, r.Dir), r.CommitTree(r.Tree([3]string{"40000", "d", blob}, [3]string{"100644", "f", sub}, [3]string{"120000", "l", sub})), ".")
	same(t, "wrong types", listing(t, tr, "."), "[d ! f !! l !]")
	for name, tree := range map[string]string{"cut": "100644 x\x00short", "no mode": "x\x00" + strings.Repeat("a", 20), "mode 9": "900000 x\x00" + strings.Repeat("a", 20), "no end": "100644 x"} {
		g := open(t, r.Dir)
		_, err := g.Tree(resolve(t, g, r.Object("commit", "tree "+r.Object("tree", tree)+"\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nx")), ".")
		var tr *git.Trouble
		if !errors.As(err, &tr) || tr.Kind != git.Corrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, commit := range []string{"", "tree x\n", "tree " + sub + "\nparent x\n", "parent " + sub, strings.Repeat("x", 100_000)} {
		_, err := open(t, r.Dir).Resolve(r.Object("commit", commit))
		var tr *git.Trouble
		if !errors.As(err, &tr) || tr.Kind != git.Corrupt {
			t.Errorf("%.20q: %v", commit, err)
		}
	}
	// Tags in a row, and one of something that is not there.
	tag := blob
	for range 30 {
		tag = r.Object("tag", "object "+tag+"\ntype tag\ntag x\n\nx")
	}
	if _, err := open(t, r.Dir).Resolve(tag); err == nil {
		t.Error("tags without end")
	}
}

// TestTreeBombs has a few objects that unfold to billions of files, deep folders, and links that multiply.
func TestTreeBombs(t *testing.T) {
	r := gittest.New(t)
	blob := r.Object("blob", "1")
	wide := r.Tree([3]string{"100644", "f", blob})
	for range 10 {
		var entries [][3]string
		for i := range 10 {
			entries = append(entries, [3]string{"40000", fmt.Sprint("d", i), wide})
		}
		wide = r.Tree(entries...)
	}
	deep := r.Tree([3]string{"100644", "f", blob})
	for range 300 {
		deep = r.Tree([3]string{"40000", "d", deep})
	}
	dot := r.Object("blob", ".")
	var fan [][3]string
	for i := range 20 {
		fan = append(fan, [3]string{"120000", fmt.Sprintf("l%02d", i), dot})
	}
	links := r.Tree([3]string{"40000", "a", r.Tree(append([][3]string{{"40000", "x", deep}}, fan...)...)})
	up := r.Object("blob", "../a")
	links = r.Tree([3]string{"40000", "a", r.Tree([3]string{"120000", "k", up}, [3]string{"120000", "l", up})}, [3]string{"40000", "z", links})
	double := r.Object("blob", "y/y")
	grow := r.Tree([3]string{"120000", "y", double})

	g := open(t, r.Dir)
	empty := at(t, g, r.CommitTree(r.Tree()), ".")
	began := time.Now()
	tr := at(t, g, r.CommitTree(wide), ".")
	_, err := tr.List(".", nil)
	wantTrouble(t, err, git.BadTree, "")
	_, err = git.Diff(empty, tr)
	wantTrouble(t, err, git.BadTree, "")
	same(t, "a part of it", listing(t, tr, "d1/d2/d3/d4/d5/d6/d7/d8/d9/d0"), "[d1/d2/d3/d4/d5/d6/d7/d8/d9/d0/f 1]")

	tr = at(t, g, r.CommitTree(deep), ".")
	if _, err := tr.List(".", nil); err != nil {
		t.Error(err)
	}
	same(t, "deep", read(t, tr, strings.Repeat("d/", 300)+"f"), "1")
	same(t, "deep", len(changes(t, empty, tr)), 1)
	listing(t, at(t, g, r.CommitTree(links), "."), ".")
	if _, err := at(t, g, r.CommitTree(grow), ".").Read("y"); !errors.Is(err, tree.ErrNotRegular) {
		t.Error(err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("%s", took)
	}
}

// TestHostileGitDirectories has what only who owns the git directory can make.
func TestHostileGitDirectories(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("top-secret-content"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, how := range map[string]string{
		"HEAD is a link out":        "rm .git/HEAD; ln -s " + secret + " .git/HEAD",
		"HEAD is a pipe":            "rm .git/HEAD; mkfifo .git/HEAD",
		"HEAD leads out":            "echo 'ref: ../../../" + secret + "' > .git/HEAD",
		"HEAD leads to config":      "echo 'ref: config' > .git/HEAD",
		"HEAD leads to itself":      "echo 'ref: HEAD' > .git/HEAD",
		"a ref is a link out":       "ln -sf " + secret + " .git/refs/heads/main",
		"a ref is a folder":         "rm .git/refs/heads/main; mkdir .git/refs/heads/main",
		"refs in a ring":            "echo 'ref: refs/heads/b' > .git/refs/heads/main; echo 'ref: refs/heads/main' > .git/refs/heads/b",
		"packed refs are a pipe":    "rm .git/refs/heads/main; mkfifo .git/packed-refs",
		"packed refs are a secret":  "rm .git/refs/heads/main; ln -s " + secret + " .git/packed-refs",
		"HEAD is a terminal's code": "printf 'ref: refs/heads/\\033[31m' > .git/HEAD",
	} {
		r := gittest.New(t)
		r.Save("f", "1")
		r.Shell(how)
		g, err := git.Open(r.Dir)
		if err == nil {
			_, err = g.Resolve("HEAD")
			g.Close()
		}
		var tr *git.Trouble
		if !errors.As(err, &tr) || strings.Contains(err.Error(), "top-secret") || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, how := range map[string]string{
		"index is a pipe": "rm .git/index; mkfifo .git/index", "index is a link": "ln -sf " + secret + " .git/index", "index is a folder": "rm .git/index; mkdir .git/index",
	} {
		r := gittest.New(t)
		r.Save("f", "1")
		r.Shell(how)
		_, err := open(t, r.Dir).Index(".")
		var tr *git.Trouble
		if !errors.As(err, &tr) || tr.Kind != git.BadIndex || strings.Contains(err.Error(), "top-secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A .git file may lead anywhere: what is there is a repository, of which nothing is run, or it is none.
	other := gittest.New(t)
	head := other.Save("f", "other")
	w := gittest.At(t, t.TempDir())
	w.Write(".git", "gitdir: "+other.Path(".git")+"\n")
	same(t, "another's", resolve(t, open(t, w.Dir), "HEAD"), head)
	for _, content := range []string{"", "gitdir:", "gitdir: " + secret, "gitdir: /dev/zero", "x", "gitdir: " + strings.Repeat("../", 5000), "gitdir: \x00"} {
		w.Write(".git", content)
		_, err := git.Open(w.Dir)
		wantTrouble(t, err, git.NotRepository, "git worktree repair")
	}
	// A submodule whose name leads out of the git directory is not opened there.
	r := gittest.New(t)
	to, err := filepath.Rel(r.Path(".git/modules"), other.Path(".git"))
	if err != nil {
		t.Fatal(err)
	}
	r.Write(".git/modules/x", "")
	r.Write(".gitmodules", "[submodule \""+to+"\"]\n\tpath = s\n\turl = x\n")
	r.Git("add", "-A")
	r.Git("update-index", "--add", "--cacheinfo", "160000,"+head+",s")
	r.Git("commit", "-q", "-m", "x")
	_, err = at(t, open(t, r.Dir), "HEAD", ".").Read("s/f")
	wantTrouble(t, err, git.Submodule, "git submodule update --init --recursive s")
}
