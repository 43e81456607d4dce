package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
)

// below returns the case with the files below a folder only, named from there.
func (c testCase) below(prefix string) testCase {
	files := map[string]string{}
	for name, text := range c.files {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			files[rest] = text
		}
	}
	c.files = files
	return c
}

// text is a file as the command sees it.
func (c testCase) text(file string) string {
	if c.change {
		return c.files["head/"+file]
	}
	return c.files[file]
}

// commit makes the repositories of a change: base on main, head on a branch that is checked out.
func (c testCase) commit(t *testing.T, root string) {
	t.Helper()
	parent := filepath.Dir(root)
	c.below("beside/").lay(t, parent)
	for name := range c.files {
		rest, ok := strings.CutPrefix(name, "beside/")
		if !ok {
			continue
		}
		repo, _, _ := strings.Cut(rest, "/")
		other := filepath.Join(parent, repo)
		if _, err := os.Stat(filepath.Join(other, ".git")); err == nil {
			continue
		}
		gittest.Run(t, other, "init", "-q", "-b", "main")
		gittest.Run(t, other, "add", "-A")
		gittest.Run(t, other, "commit", "-q", "-m", "x")
		commit := strings.TrimSpace(gittest.Run(t, other, "rev-parse", "HEAD"))
		for name, text := range c.files {
			c.files[name] = strings.ReplaceAll(text, "${COMMIT:"+repo+"}", commit)
		}
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, root, "init", "-q", "-b", "main")
	c.below("base/").lay(t, root)
	gittest.Run(t, root, "add", "-A")
	gittest.Run(t, root, "commit", "-q", "--allow-empty", "-m", "base")
	gittest.Run(t, root, "checkout", "-q", "-b", "change")
	gittest.Run(t, root, "rm", "-rq", "--ignore-unmatch", ".")
	c.below("head/").lay(t, root)
	gittest.Run(t, root, "add", "-A")
	gittest.Run(t, root, "commit", "-q", "--allow-empty", "-m", "change")
}
