package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// invoke runs the program with a cache of the test's own.
func invoke(t *testing.T, vars map[string]string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, environment{
		in: strings.NewReader(""), out: &stdout, err: &stderr, getenv: func(name string) string { return vars[name] }, now: func() time.Time { return playedAt },
	})
	return code, stdout.String(), stderr.String()
}

// object is the file of a loose object.
func object(r *gittest.Repo, name string) string {
	id := r.Rev(name)
	return filepath.Join(r.Dir, ".git", "objects", id[:2], id[2:])
}

// TestWhatGitLacks: where the repository lacks what some copy holds, the change is not passed, whatever the cache has, and it
// is judged as soon as git has it.
func TestWhatGitLacks(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	changed := func(t *testing.T) *gittest.Repo {
		r := poolRepo(t)
		r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
		r.Commit("change")
		return r
	}
	move := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		make func(t *testing.T) (dir string, mend func())
		says string
	}{
		"an object that is gone": {func(t *testing.T) (string, func()) {
			r := changed(t)
			file, aside := object(r, "HEAD:app/orders.yaml"), filepath.Join(t.TempDir(), "aside")
			move(t, file, aside)
			return r.Dir, func() { move(t, aside, file) }
		}, "app/orders.yaml"},
		"a sparse checkout of a partial clone": {func(t *testing.T) (string, func()) {
			r := changed(t)
			c := r.Clone("--filter=blob:none", "--sparse", "--no-single-branch")
			c.Git("sparse-checkout", "set", "gateway")
			c.Git("branch", "base", "origin/base")
			return c.Dir, func() { c.Git("fetch", "-q", "--refetch", "--no-filter", "origin") }
		}, "git fetch --refetch --no-filter origin"},
		"a submodule that is not here and does not change": {func(t *testing.T) (string, func()) {
			sub := gittest.New(t)
			sub.Save("orders.yaml", appText)
			r := gittest.New(t)
			r.Write("poolproof.yaml", poolsText)
			r.Write("gateway/haproxy.cfg", gatewayText)
			r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.Dir, "app/shared")
			r.Commit("base")
			r.Git("branch", "base")
			r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
			r.Commit("change")
			c := r.Clone()
			c.Git("branch", "base", "origin/base")
			return c.Dir, func() { c.Git("-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init") }
		}, "git submodule update --init --recursive app/shared"},
		"a file of Git LFS that is fetched later": {func(t *testing.T) (string, func()) {
			r := poolRepo(t)
			pointer, put := lfs(r, appText)
			r.Write("app/orders.yaml", pointer)
			r.Commit("kept by Git LFS")
			r.Git("branch", "-f", "base")
			r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
			r.Commit("change")
			return r.Dir, func() { put(t) }
		}, "git lfs"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, mend := c.make(t)
			for _, more := range [][]string{nil, nil, {"--no-cache"}} { // the second finds what the first kept
				code, out, errs := invoke(t, nil, append([]string{"ci", dir, "--no-dryrun", "--base", "base"}, more...)...)
				if code != exitNotChecked || !strings.Contains(errs, c.says) || !strings.Contains(out, "could not check") {
					t.Fatalf("exit code %d, want 3 with %q\n%s%s", code, c.says, out, errs)
				}
			}
			if code, _, errs := invoke(t, nil, "change", "new", dir, "--base", "base", "--id", "X", "--output", "-"); code != exitNotChecked || !strings.Contains(errs, c.says) {
				t.Errorf("change new: exit code %d, %s", code, errs)
			}
			mend()
			if code, out, errs := invoke(t, nil, "ci", dir, "--no-dryrun", "--base", "base"); code != exitFindings || !strings.Contains(out, "evidence/missing") {
				t.Errorf("mended: exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// TestBaseThatGitLacks: what a changed file was decides what the change owes.
func TestBaseThatGitLacks(t *testing.T) {
	r := poolRepo(t)
	r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
	r.Write("app/orders.yaml", strings.Replace(appText, "}]}}", "}, {address: 10.0.0.3, port: 8080}]}}", 1))
	r.Commit("change")
	if code, out, errs := ci(t, r.Dir, nil, "--base", "base"); code != exitClean {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if err := os.Remove(object(r, "base:gateway/haproxy.cfg")); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := ci(t, r.Dir, nil, "--base", "base"); code != exitNotChecked || !strings.Contains(errs, "gateway/haproxy.cfg") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// TestSubmodulesInPassing: a submodule that a pattern over everything happens to lead into keeps nobody from being judged, as
// long as the change leaves it alone.
func TestSubmodulesInPassing(t *testing.T) {
	sub := gittest.New(t)
	sub.Save("any.yaml", "x: 1\n")
	r := gittest.New(t)
	r.Write("poolproof.yaml", "sources:\n  - {side: gateway, format: haproxy, files: [\"**/*.cfg\"]}\n  - {side: app, format: poolproof, files: [\"app/*.yaml\"]}\n")
	r.Write("gateway/haproxy.cfg", gatewayText)
	r.Write("app/orders.yaml", appText)
	r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.Dir, "third/party")
	r.Commit("base")
	r.Git("branch", "base")
	r.Save("README", "x\n")
	r.Git("branch", "quiet")
	sub.Save("any.yaml", "x: 2\n")
	r.Git("-C", "third/party", "-c", "protocol.file.allow=always", "pull", "-q", "origin", "main")
	r.Commit("bump")
	c := r.Clone("--no-single-branch")
	code, out, errs := ci(t, c.Dir, nil, "--base", "origin/base", "--head", "origin/quiet")
	if code != exitClean || !strings.Contains(out, "skipped third/party") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs = ci(t, c.Dir, nil, "--base", "origin/base"); code != exitFindings || !strings.Contains(out, "submodule") {
		t.Errorf("bumped: exit code %d\n%s%s", code, out, errs)
	}
}

// TestBecomesUnreadable: to become unreadable is a change like any other, and no removal.
func TestBecomesUnreadable(t *testing.T) {
	for name, change := range map[string]func(r *gittest.Repo){
		"a link out of the root":         func(r *gittest.Repo) { r.Link("/etc/passwd", "gateway/x.cfg") },
		"a link to nothing":              func(r *gittest.Repo) { r.Link("nothing", "gateway/x.cfg") },
		"a link in the place of a file":  func(r *gittest.Repo) { r.Git("rm", "-q", "gateway/haproxy.cfg"); r.Link("no", "gateway/haproxy.cfg") },
		"a folder that leads elsewhere":  func(r *gittest.Repo) { r.Git("rm", "-rq", "gateway"); r.Link("/etc", "gateway") },
		"a folder of which git lost all": func(r *gittest.Repo) { r.Write("gateway/haproxy.cfg", gatewayText+"    # x\n") },
	} {
		t.Run(name, func(t *testing.T) {
			r := poolRepo(t)
			change(r)
			r.Commit("change")
			if strings.HasSuffix(name, "all") {
				if err := os.Remove(object(r, "HEAD:gateway")); err != nil {
					t.Fatal(err)
				}
			}
			code, out, errs := ci(t, r.Dir, nil, "--base", "base")
			if code != exitFindings || !strings.Contains(out, "source/unreadable") || strings.Contains(out, "evidence/missing") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// TestStagedOfTheHook: git commit -a and git commit FILE stage into an index of their own, and name it to the hook.
func TestStagedOfTheHook(t *testing.T) {
	r := poolRepo(t)
	r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
	r.Git("add", "-A")
	own, usual := filepath.Join(r.Dir, ".git", "next-index-1.lock"), filepath.Join(r.Dir, ".git", "index")
	data, err := os.ReadFile(usual)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Git("reset", "-q")
	t.Chdir(r.Dir)
	if code, out, errs := invoke(t, nil, "check", "--staged", "--no-cache"); code != exitClean {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	for _, file := range []string{own, filepath.Join(".git", "next-index-1.lock")} {
		if code, out, errs := invoke(t, map[string]string{"GIT_INDEX_FILE": file}, "check", "--staged", "--no-cache"); code != exitFindings || !strings.Contains(out, "members/missing") {
			t.Errorf("%s: exit code %d\n%s%s", file, code, out, errs)
		}
	}
	other := poolRepo(t)
	if code, out, errs := invoke(t, map[string]string{"GIT_INDEX_FILE": own}, "check", "--staged", "--no-cache", other.Dir); code != exitClean {
		t.Errorf("another repository: exit code %d\n%s%s", code, out, errs)
	}
}

// lfs returns what Git LFS puts in the place of a text, and what fetches it.
func lfs(r *gittest.Repo, text string) (pointer string, put func(t *testing.T)) {
	sum := sha256.Sum256([]byte(text))
	oid := hex.EncodeToString(sum[:])
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, len(text)), func(t *testing.T) {
		dir := filepath.Join(r.Dir, ".git", "lfs", "objects", oid[:2], oid[2:4])
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, oid), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
