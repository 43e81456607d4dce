package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// site is a repository with a change that lacks evidence, and what a runner would find around it.
type site struct {
	dir, base, head string
	vars            []string
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"poolproof.yaml": smallRepository["poolproof.yaml"], "haproxy.cfg": smallRepository["haproxy.cfg"],
		"app.yaml": "pools: {orders: {members: [{address: 10.0.0.1, port: 8080}, {address: 10.0.0.2, port: 8080}]}}\n",
	})
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "base")
	gittest.Run(t, dir, "remote", "add", "origin", "https://git.example.com/o/r")
	s := &site{dir: dir, base: gittest.Run(t, dir, "rev-parse", "HEAD")}
	writeFiles(t, dir, map[string]string{"haproxy.cfg": smallRepository["haproxy.cfg"] + "    server c 10.0.0.3:8080\n"})
	gittest.Run(t, dir, "checkout", "-q", "-b", "change")
	gittest.Run(t, dir, "commit", "-q", "-am", "change")
	s.head = gittest.Run(t, dir, "rev-parse", "HEAD")
	return s
}

// run runs a command in the repository, with the variables of the site and no others of a CI.
func (s *site) run(t *testing.T, name string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "CI") && !strings.HasPrefix(v, "GITLAB_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C.UTF-8", "XDG_CACHE_HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, s.vars...)
	data, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(data), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data), 0
}

// fakeGH stands for the program gh: it writes down what it is asked, and lists one old comment if told so.
const fakeGH = `#!/usr/bin/env bash
printf '%s\n' "$*" >>"$GH_LOG"
case "$*" in *--paginate*) printf '%s' "$GH_OLD" ;; esac
`

// TestAction runs the script of the action as a runner does, on the events that it is made for.
func TestAction(t *testing.T) {
	script, err := filepath.Abs("../../.github/action/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("poolproof")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	hostile := "::error::no\\n<script>alert(1)</script> $(touch pwned) `touch pwned`"
	for _, c := range []struct {
		event, file, old string
		code             int
		says             string
	}{
		{"pull_request", `{"pull_request":{"number":7,"body":"` + hostile + `","base":{"sha":"` + s.base + `","ref":"main"},"head":{"sha":"` + s.head + `","ref":"change"}}}`, "", 1, "evidence/missing"},
		{"pull_request", `{"pull_request":{"number":7,"body":null,"base":{"sha":"` + s.base + `","ref":"main"},"head":{"sha":"` + s.head + `","ref":"change"}}}`, "4711\n4712", 1, "evidence/missing"},
		{"merge_group", `{"merge_group":{"base_sha":"` + s.base + `","base_ref":"refs/heads/main","head_sha":"` + s.head + `"}}`, "", 1, "evidence/missing"},
		{"push", `{"ref":"refs/heads/change","before":"` + s.base + `","after":"` + s.head + `","repository":{"default_branch":"main"}}`, "", 1, "evidence/missing"},
		{"push", `{"ref":"refs/tags/v1","before":"0000000000000000000000000000000000000000","after":"` + s.head + `"}`, "", 0, "a tag was pushed"},
		{"push", `{"ref":"refs/heads/change","before":"1234567890123456789012345678901234567890","after":"` + s.head + `","repository":{"default_branch":"other"}}`, "", 3, "git fetch"},
		{"schedule", `{}`, "", 3, "--base"},
	} {
		work := t.TempDir()
		writeFiles(t, work, map[string]string{"event.json": c.file, "bin/gh": fakeGH, "gh.log": ""})
		if err := os.Chmod(filepath.Join(work, "bin/gh"), 0o755); err != nil {
			t.Fatal(err)
		}
		s.vars = []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=" + c.event, "GITHUB_EVENT_PATH=" + filepath.Join(work, "event.json"),
			"GITHUB_OUTPUT=" + filepath.Join(work, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(work, "summary"), "GITHUB_REPOSITORY=o/r",
			"GITHUB_REF=refs/pull/7/merge", "RUNNER_TEMP=" + work, "POOLPROOF_PROGRAM=" + program, "POOLPROOF_COMMENT=true", "POOLPROOF_SARIF=" + filepath.Join(work, "sarif.json"),
			"POOLPROOF_ARGS=--no-dryrun\n--lang\nen\n", "GH_LOG=" + filepath.Join(work, "gh.log"), "GH_OLD=" + c.old, "PATH=" + filepath.Join(work, "bin") + ":" + os.Getenv("PATH")}
		out, code := s.run(t, script)
		if code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d\n%s", c.event, code, out)
		}
		if got := readText0(t, filepath.Join(work, "output")); got != fmt.Sprintf("exit-code=%d\n", c.code) {
			t.Errorf("%s: output %q", c.event, got)
		}
		summary, log := readText0(t, filepath.Join(work, "summary")), readText0(t, filepath.Join(work, "gh.log"))
		if !strings.HasPrefix(summary, "<!-- poolproof:ci -->\n") {
			t.Errorf("%s: summary %.80q", c.event, summary)
		}
		want := "--method POST repos/o/r/issues/7/comments -F body=@"
		if c.old != "" {
			want = "--method PATCH repos/o/r/issues/comments/4711 -F body=@"
		}
		if !strings.Contains(log, want) {
			t.Errorf("%s: gh was asked %s", c.event, log)
		}
		if !strings.Contains(readText0(t, filepath.Join(work, "sarif.json")), `"2.1.0"`) {
			t.Errorf("%s: no SARIF report", c.event)
		}
		if _, err := os.Stat(filepath.Join(s.dir, "pwned")); err == nil {
			t.Fatalf("%s: something of the event was run", c.event)
		}
	}
}

func readText0(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestActionFile: the action is pinned, and gives what it is given to the script as variables only.
func TestActionFile(t *testing.T) {
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Using string
			Steps []struct {
				Uses, Run, Shell string
				Env              map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readText0(t, "../../action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	if action.Runs.Using != "composite" || len(action.Runs.Steps) < 2 {
		t.Fatalf("%+v", action.Runs)
	}
	for _, s := range action.Runs.Steps {
		if _, commit, _ := strings.Cut(s.Uses, "@"); s.Uses != "" && len(commit) != 40 {
			t.Errorf("%s is not pinned to a commit", s.Uses)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression stands in a script: %s", s.Run)
		}
	}
}

// TestGitLabSnippet runs the script of the pages' snippet with the variables of a merge request.
func TestGitLabSnippet(t *testing.T) {
	ran := 0
	for _, file := range readmes {
		for _, b := range readPage(t, file).blocks {
			if !strings.HasPrefix(b.text, "# .gitlab-ci.yml\n") {
				continue
			}
			var job map[string]struct{ Script []string }
			if err := yaml.Unmarshal([]byte(b.text), &job); err != nil {
				t.Fatalf("%s:%d: %v", file, b.line, err)
			}
			s := newSite(t)
			s.vars = []string{"GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_IID=7", "CI_COMMIT_SHA=" + s.head,
				"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + s.base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_DESCRIPTION=::error::x"}
			for _, line := range job["poolproof"].Script {
				out, code := s.run(t, "sh", "-c", line)
				if code != 1 || !strings.Contains(out, "evidence/missing") || strings.Contains(out, "\n::error::x") {
					t.Errorf("%s:%d: exit code %d\n%s", file, b.line, code, out)
				}
				ran++
			}
			for _, report := range []string{"gl-code-quality-report.json", "poolproof.xml"} {
				if len(readText0(t, filepath.Join(s.dir, report))) == 0 {
					t.Errorf("%s is empty", report)
				}
			}
		}
	}
	if ran != len(readmes) {
		t.Errorf("%d scripts ran", ran)
	}
}

// TestPreCommit runs the hook with the real pre-commit: it refuses a commit that parts the copies, and takes one that
// keeps them together.
func TestPreCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Fatal("pre-commit is missing: apt-get install pre-commit")
	}
	hooks := t.TempDir()
	writeFiles(t, hooks, map[string]string{".pre-commit-hooks.yaml": readText0(t, "../../.pre-commit-hooks.yaml")})
	gittest.Run(t, hooks, "init", "-q", "-b", "main")
	gittest.Run(t, hooks, "add", "-A")
	gittest.Run(t, hooks, "commit", "-q", "-m", "hooks")
	s := newSite(t)
	s.vars = []string{"HOME=" + t.TempDir(), "PRE_COMMIT_HOME=" + t.TempDir()}
	writeFiles(t, s.dir, map[string]string{".pre-commit-config.yaml": "repos:\n  - repo: " + hooks + "\n    rev: " + gittest.Run(t, hooks, "rev-parse", "HEAD") +
		"\n    hooks: [{id: poolproof-system}]\n"})
	gittest.Run(t, s.dir, "reset", "-q", "--hard", s.base)
	writeFiles(t, s.dir, map[string]string{"haproxy.cfg": smallRepository["haproxy.cfg"] + "    server c 10.0.0.3:8080\n"})
	gittest.Run(t, s.dir, "add", "haproxy.cfg", ".pre-commit-config.yaml")
	if out, code := s.run(t, "pre-commit", "run"); code == 0 || !strings.Contains(out, "members/missing") {
		t.Errorf("the copies part: exit code %d\n%s", code, out)
	}
	writeFiles(t, s.dir, map[string]string{"app.yaml": "pools: {orders: {members: [{address: 10.0.0.1, port: 8080}, {address: 10.0.0.2, port: 8080}, {address: 10.0.0.3, port: 8080}]}}\n"})
	gittest.Run(t, s.dir, "add", "app.yaml")
	if out, code := s.run(t, "pre-commit", "run"); code != 0 {
		t.Errorf("the copies stay together: exit code %d\n%s", code, out)
	}
}
