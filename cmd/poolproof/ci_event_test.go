package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// TestWhatIsCheckedOut: a run for a pull request that has something else checked out does not pass for want of a difference.
func TestWhatIsCheckedOut(t *testing.T) {
	r := poolRepo(t)
	base := r.Rev("HEAD")
	r.Git("checkout", "-q", "-b", "change")
	r.Save("gateway/other.cfg", otherText)
	older := r.Rev("HEAD")
	r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
	tip := r.Commit("change")
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"pull_request":{"base":{"sha":%q,"ref":"main"},"head":{"sha":%q,"ref":"change"}}}`, base, tip), 0o600); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": file}
	for _, wrong := range []string{base, older} {
		r.Git("checkout", "-q", wrong)
		code, out, errs := ci(t, r.Dir, vars)
		if code != exitNotChecked || !strings.Contains(errs, "git checkout "+tip) {
			t.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
	}
	r.Shell("git checkout -q " + tip)
	if code, out, errs := ci(t, r.Dir, vars); code != exitFindings || !strings.Contains(out, "evidence/missing") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	// A clone that has the base alone cannot tell; the base is not the change.
	r.Git("branch", "alone", base)
	c := r.Clone("--depth", "1", "--branch", "alone")
	code, out, errs := ci(t, c.Dir, vars)
	if code != exitNotChecked || !strings.Contains(errs, "git fetch origin "+tip) {
		t.Errorf("a clone of the base: exit code %d\n%s%s", code, out, errs)
	}
}

// TestEventFilesThatAreNone: an event file is read within bounds, and a pipe in its place hangs nothing.
func TestEventFilesThatAreNone(t *testing.T) {
	r := poolRepo(t)
	dir := t.TempDir()
	pipe, huge := filepath.Join(dir, "pipe"), filepath.Join(dir, "huge")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(huge)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, file := range []string{pipe, huge, dir, "/dev/zero"} {
		code, _, errs := ci(t, r.Dir, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": file})
		if code != exitNotChecked || !strings.Contains(errs, "event file") {
			t.Errorf("%s: exit code %d, %s", file, code, errs)
		}
	}
}

// TestManifestsBelow: a manifest that the change puts nearer by does not count as the first one, where the base has one above.
func TestManifestsBelow(t *testing.T) {
	const own = "sources: [{side: gateway, format: haproxy, files: [\"*.cfg\"]}]\nseverity: {\"evidence/*\": off}\n"
	for name, change := range map[string]func(r *gittest.Repo){
		"added":      func(r *gittest.Repo) { r.Write("gateway/poolproof.yaml", own) },
		"moved":      func(r *gittest.Repo) { r.Write("gateway/poolproof.yaml", own); r.Git("rm", "-q", "poolproof.yaml") },
		"in its way": func(r *gittest.Repo) { r.Write("gateway/poolproof.json", `{"sources":[]}`) },
		"another one": func(r *gittest.Repo) {
			r.Write("poolproof.cue", "sources: [{side: \"gateway\", format: \"haproxy\", files: [\"gateway/*.cfg\"]}]\nseverity: \"evidence/*\": \"off\"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := poolRepo(t)
			r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
			change(r)
			r.Commit("change")
			if code, out, errs := ci(t, r.Path("gateway"), nil, "--base", "base"); code != exitFindings || !strings.Contains(out, "evidence/missing") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// TestVerifyingNothing: a file that was named and holds no order is not verified.
func TestVerifyingNothing(t *testing.T) {
	r := poolRepo(t)
	r.Write("poolproof.yaml", poolsText+"  - {side: order, files: [\"changes/*.md\"]}\n")
	r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
	r.Commit("change")
	t.Chdir(r.Dir)
	for _, text := range []string{"", "---\n", "# CHG-1\n", "<!--\n```yaml\npoolproof: change-order/v1\nid: a\n```\n-->\n", "---\npoolproof: change-order/v1\nid: [\n---\n"} {
		r.Write("changes/X.md", text)
		if code, out, errs := invoke(t, nil, "change", "verify", "changes/X.md", "--base", "base", "--no-cache"); code != exitFindings {
			t.Errorf("%q: exit code %d\n%s%s", text, code, out, errs)
		}
	}
}

// TestOrdersStayInTheRepository: what the repository says of where orders are does not lead out of it, nor into git's own files.
func TestOrdersStayInTheRepository(t *testing.T) {
	outside := t.TempDir()
	for name, c := range map[string]struct {
		make func(r *gittest.Repo)
		code int
	}{
		"a link to a file elsewhere":   {func(r *gittest.Repo) { r.Link(filepath.Join(outside, "a.md"), "changes/X.md") }, exitNotChecked},
		"a link to a folder elsewhere": {func(r *gittest.Repo) { r.Link(outside, "changes") }, exitNotChecked},
		"a link into git's files":      {func(r *gittest.Repo) { r.Link(".git/hooks", "changes") }, exitNotChecked},
		"a link inside":                {func(r *gittest.Repo) { r.Write("orders/README.md", "x\n"); r.Link("orders", "changes") }, exitClean},
		"a pattern for git's files": {func(r *gittest.Repo) {
			r.Write("poolproof.yaml", poolsText+"  - {side: order, files: [\".git/hooks/*\"]}\n")
		}, exitNotChecked},
	} {
		t.Run(name, func(t *testing.T) {
			r := poolRepo(t)
			r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
			c.make(r)
			r.Commit("change")
			code, out, errs := invoke(t, nil, "change", "new", r.Dir, "--base", "base", "--id", "X", "--no-cache")
			if code != c.code || code != exitClean && !strings.Contains(errs, "--output FILE") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
			left, err := os.ReadDir(outside)
			if err != nil || len(left) > 0 {
				t.Errorf("written elsewhere: %v %v", left, err)
			}
			if _, err := os.Stat(r.Path(".git/hooks/X")); err == nil {
				t.Error("written among git's own files")
			}
		})
	}
}
