// Package gittest makes real repositories for tests with the git binary. Names and dates are fixed, and no configuration
// of the machine or the user is read, so that commits have the same names everywhere.
package gittest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Epoch is the date of the first commit, in seconds; each later one is a minute after the one before it.
const Epoch = 1_700_000_000

// Repo is a repository below a test's temporary folder.
type Repo struct {
	// Dir is the work tree's root, or the repository itself where it is bare.
	Dir string

	t    testing.TB
	tick int
}

// New makes an empty repository with the branch main. More arguments go to git init.
func New(t testing.TB, args ...string) *Repo {
	t.Helper()
	r := &Repo{Dir: filepath.Join(t.TempDir(), "repo"), t: t}
	Run(t, t.TempDir(), append(append([]string{"init", "-q", "-b", "main"}, args...), r.Dir)...)
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	return r
}

// At is the repository in an existing folder.
func At(t testing.TB, dir string) *Repo { return &Repo{Dir: dir, t: t, tick: 1000} }

// Clone clones the repository into a new folder, over file:// so that depth and filter hold. args come before the
// addresses.
func (r *Repo) Clone(args ...string) *Repo {
	r.t.Helper()
	to := filepath.Join(r.t.TempDir(), "clone")
	Run(r.t, r.Dir, append(append([]string{"clone", "-q"}, args...), r.URL(), to)...)
	return &Repo{Dir: to, t: r.t, tick: r.tick + 1000}
}

// URL is the repository's file:// address.
func (r *Repo) URL() string { return "file://" + filepath.ToSlash(r.Dir) }

// Git runs git in the repository and returns what it printed, without the last line break. Failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.Try("", args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Pipe runs git with an input.
func (r *Repo) Pipe(input string, args ...string) string {
	r.t.Helper()
	out, err := r.Try(input, args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Try runs git and returns its output and failure.
func (r *Repo) Try(input string, args ...string) (string, error) {
	return run(r.Dir, r.tick, input, "git", args...)
}

// Shell runs a command line as a person would paste it, such as one that an error names.
func (r *Repo) Shell(line string) string {
	r.t.Helper()
	out, err := run(r.Dir, r.tick, "", "sh", "-c", line)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

// Path is a file's place on disk.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write writes a file of the work tree, with its folders.
func (r *Repo) Write(name, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.Path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.Path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// Link makes a symbolic link in the work tree.
func (r *Repo) Link(target, name string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.Path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Symlink(target, r.Path(name)); err != nil {
		r.t.Fatal(err)
	}
}

// Commit commits all of the work tree, even where nothing changed, and returns the commit's name.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "-A")
	r.tick++
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	return r.Rev("HEAD")
}

// Save writes one file and commits.
func (r *Repo) Save(name, content string) string {
	r.t.Helper()
	r.Write(name, content)
	return r.Commit("save " + strings.ToValidUTF8(name, "?"))
}

// Merge merges branches into the current one with a merge commit, and returns its name.
func (r *Repo) Merge(branches ...string) string {
	r.t.Helper()
	r.tick++
	r.Git(append([]string{"merge", "-q", "--no-ff", "-m", "merge"}, branches...)...)
	return r.Rev("HEAD")
}

// Rev is the full name of a revision.
func (r *Repo) Rev(name string) string { r.t.Helper(); return r.Git("rev-parse", "--verify", name) }

// Object writes an object as it stands, however wrong it is, and returns its name.
func (r *Repo) Object(kind, content string) string {
	r.t.Helper()
	return r.Pipe(content, "hash-object", "-t", kind, "-w", "--literally", "--stdin")
}

// Tree writes a tree object as it stands: triples of mode, name and object.
func (r *Repo) Tree(entries ...[3]string) string {
	r.t.Helper()
	var b bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&b, "%s %s\x00", e[0], e[1])
		for i := 0; i+1 < len(e[2]); i += 2 {
			var c byte
			fmt.Sscanf(e[2][i:i+2], "%02x", &c)
			b.WriteByte(c)
		}
	}
	return r.Object("tree", b.String())
}

// CommitTree commits a tree object with parents, on no branch.
func (r *Repo) CommitTree(tree string, parents ...string) string {
	r.t.Helper()
	r.tick++
	args := []string{"commit-tree", "-m", "tree", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return r.Git(args...)
}

// Run runs git in a folder.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := run(dir, 0, "", "git", args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func run(dir string, tick int, input, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = Env(tick)
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// Env is the environment git runs in: the machine's without anything of git, then fixed names and a date that is tick
// minutes after Epoch.
func Env(tick int) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GIT_") && !strings.HasPrefix(e, "LANG") && !strings.HasPrefix(e, "LC_") {
			env = append(env, e)
		}
	}
	date := fmt.Sprintf("%d +0000", Epoch+60*tick)
	return append(env, "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE="+date,
		// Submodules in tests come from folders.
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
		"GIT_CONFIG_KEY_2=advice.detachedHead", "GIT_CONFIG_VALUE_2=false")
}
