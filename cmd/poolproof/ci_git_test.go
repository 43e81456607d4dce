package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// The files of a small pool, and a change of its gateway that owes the application.
const (
	gatewayText = "backend orders\n    mode http\n    server a 10.0.0.1:8080\n    server b 10.0.0.2:8080\n"
	addedServer = "    server c 10.0.0.3:8080\n"
	appText     = "pools: {orders: {members: [{address: 10.0.0.1, port: 8080}, {address: 10.0.0.2, port: 8080}]}}\n"
	otherText   = "backend other\n    mode http\n    server a 10.1.0.1:8080\n"
	poolsText   = "sources:\n  - {side: gateway, format: haproxy, files: [\"gateway/**/*.cfg\"]}\n  - {side: app, format: poolproof, files: [\"app/**/*.yaml\"]}\n"
)

func poolRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Write("poolproof.yaml", poolsText)
	r.Write("gateway/haproxy.cfg", gatewayText)
	r.Write("app/orders.yaml", appText)
	r.Commit("base")
	r.Git("branch", "base")
	return r
}

// ci runs the command in a folder, with the variables of a CI.
func ci(t *testing.T, dir string, vars map[string]string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), append([]string{"ci", dir, "--no-dryrun", "--no-cache"}, args...), environment{
		in: strings.NewReader(""), out: &stdout, err: &stderr, getenv: func(name string) string { return vars[name] }, now: func() time.Time { return playedAt },
	})
	return code, stdout.String(), stderr.String()
}

// TestGitAsPeopleHaveIt makes the same change, which owes the application, in every way that git offers: it is found in each
// of them, or the command exits 3 and names what mends it, and then finds it.
func TestGitAsPeopleHaveIt(t *testing.T) {
	const owed = "evidence/missing"
	bad := func(r *gittest.Repo) { r.Write("gateway/haproxy.cfg", gatewayText+addedServer) }
	event := func(t *testing.T, text string) map[string]string {
		file := filepath.Join(t.TempDir(), "event.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": file}
	}
	pull := func(t *testing.T, base, head string) map[string]string {
		return event(t, fmt.Sprintf(`{"pull_request":{"base":{"sha":%q,"ref":"main"},"head":{"sha":%q,"ref":"change"}}}`, base, head))
	}
	type situation struct {
		dir  string
		vars map[string]string
		args []string
		// code and says are what the command answers; mend is run then, and the change must be found.
		code int
		says string
		mend bool
		repo *gittest.Repo
	}
	onBranch := func(r *gittest.Repo) *gittest.Repo { r.Git("checkout", "-q", "-b", "change", "base"); return r }
	found := func(r *gittest.Repo, args ...string) situation {
		return situation{dir: r.Dir, args: append(args, "--base", "base"), code: 1, says: owed, repo: r}
	}
	for name, make := range map[string]func(t *testing.T) situation{
		"1 merge commit of a pull request": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			head := r.Commit("change")
			r.Git("checkout", "-q", "main")
			base := r.Save("README", "x\n")
			r.Git("checkout", "-q", "--detach")
			r.Merge("change")
			return situation{dir: r.Dir, vars: pull(t, base, head), code: 1, says: owed}
		},
		"1b the base moved on after the event": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			head := r.Commit("change")
			r.Git("checkout", "-q", "main")
			old := r.Rev("HEAD")
			r.Write("gateway/other.cfg", otherText+"    server b 10.1.0.2:8080\n")
			r.Commit("somebody else")
			r.Git("checkout", "-q", "--detach")
			r.Merge("change")
			return situation{dir: r.Dir, vars: pull(t, old, head), code: 1, says: owed}
		},
		"2 a change made inside a merge commit": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Save("docs.md", "x\n")
			r.Git("checkout", "-q", "-b", "side", "base")
			r.Save("side.md", "x\n")
			r.Git("checkout", "-q", "change")
			r.Git("merge", "-q", "--no-commit", "--no-ff", "side")
			bad(r)
			r.Commit("evil merge")
			return found(r)
		},
		"2b an octopus merge": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			for _, b := range []string{"one", "two", "three"} {
				r.Git("checkout", "-q", "-b", b, "base")
				if b == "two" {
					bad(r)
				}
				r.Write(b, b)
				r.Commit(b)
			}
			r.Git("checkout", "-q", "change")
			r.Merge("one", "two", "three")
			return found(r)
		},
		"3 a branch merged into the branch": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("checkout", "-q", "-b", "feature")
			bad(r)
			r.Commit("feature")
			r.Git("checkout", "-q", "change")
			r.Save("README", "x\n")
			r.Merge("feature")
			return found(r)
		},
		"4 the base merged back": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			r.Git("checkout", "-q", "base")
			r.Save("gateway/other.cfg", otherText)
			r.Git("checkout", "-q", "change")
			r.Merge("base")
			s := found(r)
			return s
		},
		"5 names that are not ASCII, and long ones": func(t *testing.T) situation {
			r := poolRepo(t)
			r.Write("gateway/"+strings.Repeat("很长的目录/", 30)+"网关.cfg", strings.ReplaceAll(gatewayText, "orders", "paid"))
			r.Write("app/付款.yaml", strings.ReplaceAll(appText, "orders", "paid"))
			r.Commit("more")
			r.Git("branch", "-f", "base")
			onBranch(r)
			r.Write("gateway/"+strings.Repeat("很长的目录/", 30)+"网关.cfg", strings.ReplaceAll(gatewayText, "orders", "paid")+addedServer)
			r.Commit("change")
			return found(r)
		},
		"6 a shallow clone": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			r.Save("README", "x\n")
			c := r.Clone("--depth", "1", "--no-single-branch")
			return situation{dir: c.Dir, args: []string{"--base", "origin/base"}, code: 3, says: "git fetch", mend: true, repo: c}
		},
		"6b a partial clone": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("config", "uploadpack.allowFilter", "true")
			bad(r)
			r.Commit("change")
			c := r.Clone("--filter=blob:none", "--no-checkout")
			return situation{dir: c.Dir, args: []string{"--base", "origin/base"}, code: 3, says: "git fetch", mend: true, repo: c}
		},
		"6c a sparse checkout": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			r.Git("sparse-checkout", "set", "nothing")
			return found(r)
		},
		"7 and 8 settings of diff": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("config", "diff.noprefix", "true")
			r.Git("config", "diff.renames", "false")
			r.Git("config", "core.quotePath", "true")
			bad(r)
			r.Commit("change")
			return found(r)
		},
		"9 from a folder below": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			s := found(r)
			s.dir = r.Path("gateway")
			return s
		},
		"10 a pool moved to another file": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("mv", "gateway/haproxy.cfg", "gateway/moved.cfg")
			r.Write("app/split.yaml", appText)
			r.Git("rm", "-q", "app/orders.yaml")
			r.Commit("move")
			return situation{dir: r.Dir, args: []string{"--base", "base"}, code: 0, says: "no findings"}
		},
		"11 renamed and edited": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("mv", "gateway/haproxy.cfg", "gateway/moved.cfg")
			r.Write("gateway/moved.cfg", gatewayText+addedServer)
			r.Commit("change")
			return found(r)
		},
		"15 a line over 64 KiB": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Write("gateway/haproxy.cfg", "# "+strings.Repeat("x", 100<<10)+"\n"+gatewayText+addedServer)
			r.Commit("change")
			return found(r)
		},
		"16 links that point at each other": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Link("b.cfg", "gateway/a.cfg")
			r.Link("a.cfg", "gateway/b.cfg")
			bad(r)
			r.Commit("change")
			return found(r)
		},
		"17 a submodule moved on": func(t *testing.T) situation {
			sub := gittest.New(t)
			sub.Write("haproxy.cfg", gatewayText)
			sub.Commit("one")
			r := gittest.New(t)
			r.Write("poolproof.yaml", poolsText)
			r.Write("app/orders.yaml", appText)
			r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.Dir, "gateway")
			r.Commit("base")
			r.Git("branch", "base")
			onBranch(r)
			sub.Write("haproxy.cfg", gatewayText+addedServer)
			sub.Commit("two")
			r.Git("-C", "gateway", "-c", "protocol.file.allow=always", "pull", "-q", "origin", "main")
			r.Commit("bump")
			return found(r)
		},
		"18 a branch called main from a fork": func(t *testing.T) situation {
			r := poolRepo(t)
			base := r.Rev("HEAD")
			r.Git("update-ref", "refs/remotes/origin/main", base)
			bad(r)
			head := r.Commit("change on main")
			return situation{dir: r.Dir, vars: pull(t, base, head), code: 1, says: owed}
		},
		"19 a message that asks to skip": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change [skip ci] [no-poolproof]\n\n::error::x\n")
			return found(r)
		},
		"20 only the manifest changes": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Write("docs/orders.md", "# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.9 | 8080 |\n")
			r.Commit("docs")
			r.Git("branch", "-f", "base")
			r.Write("poolproof.yaml", poolsText+"  - {side: doc, format: markdown, files: [\"docs/*.md\"]}\n")
			r.Commit("change")
			// What a new source brings to light was so before: it is shown, and fails with --fail-on-existing.
			return situation{dir: r.Dir, args: []string{"--base", "base", "--fail-on-existing"}, code: 1, says: "members/missing"}
		},
		"21 an exception of its own": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Write("poolproof.yaml", poolsText+"exceptions:\n  - {rule: evidence/missing, pool: orders, side: app, initiator: a, saw: b, reclaim: c, expires: 2099-01-01}\n")
			r.Commit("change")
			return found(r)
		},
		"22 the base is at the remote alone": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			c := r.Clone("--branch", "change")
			return situation{dir: c.Dir, args: []string{"--base", "base"}, code: 1, says: owed}
		},
		"22b the base is not here": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			c := r.Clone("--branch", "change", "--single-branch")
			return situation{dir: c.Dir, args: []string{"--base", "base"}, code: 3, says: "git fetch", mend: true, repo: c}
		},
		"23 three hundred files": func(t *testing.T) situation {
			r := poolRepo(t)
			for i := range 300 {
				r.Write(fmt.Sprintf("gateway/many/%d.cfg", i), fmt.Sprintf("backend p%d\n    mode http\n    server a 10.2.0.1:8080\n", i))
			}
			r.Commit("many")
			r.Git("branch", "-f", "base")
			onBranch(r)
			for i := range 300 {
				r.Write(fmt.Sprintf("gateway/many/%d.cfg", i), fmt.Sprintf("backend p%d\n    mode http\n    server a 10.2.0.1:8080 # touched\n", i))
			}
			bad(r)
			r.Commit("change")
			return found(r)
		},
		"24 a work tree that is not clean": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			r.Write("gateway/haproxy.cfg", "not this\n")
			r.Write("app/orders.yaml", "nor this: [\n")
			s := found(r)
			s.says = "server c 10.0.0.3:8080"
			return s
		},
		"a squash": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("one")
			r.Save("README", "x\n")
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--squash", "change")
			r.Commit("squashed")
			return found(r)
		},
		"a force-push": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			before := r.Save("README", "x\n")
			r.Git("reset", "-q", "--hard", "base")
			bad(r)
			after := r.Commit("rewritten")
			vars := event(t, fmt.Sprintf(`{"ref":"refs/heads/change","before":%q,"after":%q,"forced":true,"repository":{"default_branch":"main"}}`, before, after))
			vars["GITHUB_EVENT_NAME"] = "push"
			return situation{dir: r.Dir, vars: vars, code: 1, says: owed}
		},
		"a detached head": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			r.Git("checkout", "-q", "--detach")
			return found(r)
		},
		"a linked work tree": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			other := filepath.Join(t.TempDir(), "other")
			r.Git("worktree", "add", "-q", "--detach", other)
			s := found(r)
			s.dir = other
			return s
		},
		"unrelated histories": func(t *testing.T) situation {
			r := poolRepo(t)
			r.Git("checkout", "-q", "--orphan", "change")
			bad(r)
			r.Commit("change")
			return situation{dir: r.Dir, args: []string{"--base", "base"}, code: 3, says: "no history in common"}
		},
		"a pointer of Git LFS": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Write("gateway/haproxy.cfg", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("ab", 32)+"\nsize 12345\n")
			r.Commit("change")
			return situation{dir: r.Dir, args: []string{"--base", "base"}, code: 1, says: "git lfs"}
		},
		"line ends and attributes": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Write(".gitattributes", "*.cfg text eol=crlf diff=x filter=x\n")
			r.Write("gateway/haproxy.cfg", strings.ReplaceAll(gatewayText+addedServer, "\n", "\r\n"))
			r.Commit("change")
			return found(r)
		},
		"a rename of case alone": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Git("mv", "gateway/haproxy.cfg", "gateway/HAProxy.cfg")
			r.Commit("change")
			return situation{dir: r.Dir, args: []string{"--base", "base"}, code: 0, says: "no findings"}
		},
		"a blob of 100 MB": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			r.Write("gateway/huge.cfg", strings.Repeat("# x\n", 25<<20))
			bad(r)
			r.Commit("change")
			return found(r)
		},
		"an empty repository": func(t *testing.T) situation {
			return situation{dir: gittest.New(t).Dir, args: []string{"--base", "main"}, code: 3, says: "commit"}
		},
		"a repository with SHA-256": func(t *testing.T) situation {
			r := gittest.New(t, "--object-format=sha256")
			r.Save("poolproof.yaml", poolsText)
			return situation{dir: r.Dir, args: []string{"--base", "main"}, code: 3, says: "SHA-256"}
		},
		"a bare repository": func(t *testing.T) situation {
			r := onBranch(poolRepo(t))
			bad(r)
			r.Commit("change")
			c := r.Clone("--bare")
			return situation{dir: c.Dir, args: []string{"--base", "base", "--head", "change"}, code: 1, says: owed}
		},
		"no repository": func(t *testing.T) situation {
			return situation{dir: t.TempDir(), args: []string{"--base", "main"}, code: 3, says: "git"}
		},
		"a manifest below the root": func(t *testing.T) situation {
			r := gittest.New(t)
			r.Write("team/poolproof.yaml", poolsText)
			r.Write("team/gateway/haproxy.cfg", gatewayText)
			r.Write("team/app/orders.yaml", appText)
			r.Commit("base")
			r.Git("branch", "base")
			r.Write("team/gateway/haproxy.cfg", gatewayText+addedServer)
			r.Commit("change")
			s := found(r)
			s.dir = r.Path("team/app")
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := make(t)
			code, out, errs := ci(t, s.dir, s.vars, s.args...)
			if code != s.code || !strings.Contains(out+errs, s.says) {
				t.Fatalf("exit code %d, want %d with %q\n%s%s", code, s.code, s.says, out, errs)
			}
			if !s.mend {
				return
			}
			command := commandIn(errs)
			if command == "" {
				t.Fatalf("no command mends it: %s", errs)
			}
			s.repo.Shell(command)
			if code, out, errs = ci(t, s.dir, s.vars, s.args...); code != 1 || !strings.Contains(out, owed) {
				t.Fatalf("after %q: exit code %d\n%s%s", command, code, out, errs)
			}
		})
	}
}

// commandIn finds the command of git that a message ends with.
func commandIn(message string) string {
	i := strings.Index(message, "git fetch")
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(strings.SplitN(message[i:], "\n", 2)[0])
}

// codeSpan is a code span of Markdown on a line that is no HTML.
var codeSpan = regexp.MustCompile("(?m)`[^`\n]*`")

// TestNothingOfStrangersSpeaks: what stands in names and texts of a change starts no line of the log and no markup.
func TestNothingOfStrangersSpeaks(t *testing.T) {
	const evil = "\x1b[31m::error::x <script>alert(1)</script> [a](javascript:x) | `x`"
	r := poolRepo(t)
	branch := "x/<b>`error`"
	r.Git("checkout", "-q", "-b", branch)
	r.Write("gateway/::error::<script>\x1b[2J.cfg", strings.ReplaceAll(gatewayText, "orders", "own")+"# "+evil+"\n")
	r.Write("gateway/haproxy.cfg", gatewayText+addedServer)
	r.Commit(evil)
	text := filepath.Join(t.TempDir(), "text.md")
	if err := os.WriteFile(text, []byte(evil+"\n\n```yaml\npoolproof: change-order/v1\nid: \"<script>x\\u001b\"\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"console", "github", "markdown", "html", "gitlab", "junit", "sarif", "json"} {
		code, out, errs := ci(t, r.Dir, nil, "--base", "base", "--head", branch, "--change-text", text, "--format", format)
		if code != 1 {
			t.Errorf("%s: exit code %d\n%s", format, code, errs)
		}
		markup := out
		if format == "markdown" {
			markup = codeSpan.ReplaceAllString(out, "``") // what stands in one is shown as it is
		}
		if strings.Contains(out+errs, "\x1b") || (format == "markdown" || format == "html" || format == "junit") && strings.Contains(markup, "<script>") {
			t.Errorf("%s: unescaped\n%q", format, out)
		}
		for line := range strings.Lines(out + errs) {
			if strings.HasPrefix(strings.TrimSpace(line), "::error::") {
				t.Errorf("%s: a command stands at the beginning of a line: %q", format, line)
			}
		}
	}
}

// TestSameSummaryTwice: the summary of a change is the same each time, starts with the mark by which it is found again, and
// is short enough for a comment.
func TestSameSummaryTwice(t *testing.T) {
	r := poolRepo(t)
	r.Git("checkout", "-q", "-b", "change")
	var many bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&many, "backend extra%d\n    mode http\n    server a 10.3.0.1:8080\n    server a2 10.3.0.1:8080\n", i)
	}
	r.Write("gateway/many.cfg", many.String())
	r.Commit("change")
	_, first, _ := ci(t, r.Dir, nil, "--base", "base", "--format", "markdown", "--now", "2026-11-30T00:00:00Z")
	_, second, _ := ci(t, r.Dir, nil, "--base", "base", "--format", "markdown", "--now", "2026-11-30T00:00:00Z")
	if first != second || !strings.HasPrefix(first, "<!-- poolproof:ci -->\n") || len(first) > 65_536 || len(first) < 10_000 {
		t.Errorf("%d bytes, the same: %v\n%.200s", len(first), first == second, first)
	}
}
