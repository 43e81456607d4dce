// Package host finds out, from the variables and event files that hosting sites give to their runners, which change a run
// is about: its base, its head, and the text that its author wrote. It opens no repository and no connection. Everything
// that it returns comes from strangers.
package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Change is what a hosting site says about the change under review.
type Change struct {
	// Site is "GitHub", "GitLab" or "Gitea"; Event is its word for what happened ("pull_request").
	Site, Event string
	// Base lists revisions to compare with, the best first; the first that the repository has counts.
	Base []string
	// Head is the revision under review; empty means what is checked out.
	Head string
	// Tip is the last commit of the proposed branch, where what is checked out may be its merge into the base; else empty.
	Tip string
	// Text is what the author wrote about the change; TextCut says that the site handed over only its beginning.
	Text    string
	TextCut bool
	// Nothing says why there is nothing to compare, where that is so: a branch was deleted, a tag was pushed.
	Nothing *schema.Text
}

// Runner is how a runner is asked.
type Runner struct {
	Getenv func(string) string
	// Read returns the content of a file that a variable names.
	Read func(path string) ([]byte, error)
}

// ErrNone says that no known hosting site runs this.
var ErrNone = errors.New("no CI that poolproof knows")

// Detect asks the runner. The error wraps ErrNone where no known site runs this; any other error means that a site does
// and what it says cannot be used.
func Detect(r Runner) (*Change, error) {
	switch {
	case r.Getenv("GITHUB_ACTIONS") == "true", r.Getenv("GITEA_ACTIONS") == "true", r.Getenv("FORGEJO_ACTIONS") == "true":
		return github(r)
	case r.Getenv("GITLAB_CI") == "true":
		return gitlab(r)
	}
	return nil, ErrNone
}

// zero reports whether a hash stands for "no commit".
func zero(hash string) bool { return hash == "" || strings.Trim(hash, "0") == "" }

// list keeps the revisions that name a commit, each once.
func list(revisions ...string) (kept []string) {
	seen := map[string]bool{}
	for _, r := range revisions {
		if !zero(r) && !seen[r] {
			seen[r] = true
			kept = append(kept, r)
		}
	}
	return kept
}

// remote names the remote branch of a branch, "" for none.
func remote(branch string) string {
	branch = strings.TrimPrefix(branch, "refs/heads/")
	if branch == "" {
		return ""
	}
	return "origin/" + branch
}

func unusable(site, what string, err error) error {
	return fmt.Errorf("reading what %s says about the change: %s: %w", site, what, err)
}
