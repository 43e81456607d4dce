package host

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// event is the part of an event file of GitHub, and of those who took its format over, that says what changed.
type event struct {
	PullRequest *struct {
		Body string
		Base revision
		Head revision
	} `json:"pull_request"`
	MergeGroup *struct {
		BaseSHA string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
		HeadSHA string `json:"head_sha"`
	} `json:"merge_group"`
	Ref        string
	Before     string
	After      string
	Deleted    bool
	Repository struct {
		DefaultBranch string `json:"default_branch"`
	}
}

type revision struct {
	SHA string
	Ref string
}

func github(r Runner) (*Change, error) {
	c := &Change{Site: "GitHub", Event: r.Getenv("GITHUB_EVENT_NAME")}
	if r.Getenv("GITEA_ACTIONS") == "true" || r.Getenv("FORGEJO_ACTIONS") == "true" {
		c.Site = "Gitea"
	}
	path := r.Getenv("GITHUB_EVENT_PATH")
	if path == "" {
		return nil, unusable(c.Site, "GITHUB_EVENT_PATH", errors.New("not set"))
	}
	data, err := r.Read(path)
	if err != nil {
		return nil, unusable(c.Site, "the event file", err)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, unusable(c.Site, "the event file", err)
	}
	if err := e.check(); err != nil {
		return nil, unusable(c.Site, "the event file", err)
	}
	switch {
	case e.PullRequest != nil:
		p := e.PullRequest
		c.Base, c.Tip, c.Text = list(p.Base.SHA, remote(p.Base.Ref)), p.Head.SHA, p.Body
		if c.Event != "pull_request" {
			// Events such as pull_request_target check out the base, not the change.
			c.Head = p.Head.SHA
		}
		if len(c.Base) == 0 {
			return nil, unusable(c.Site, "the event file", errors.New("the pull request names no base"))
		}
	case e.MergeGroup != nil:
		c.Base, c.Head = list(e.MergeGroup.BaseSHA, remote(e.MergeGroup.BaseRef)), e.MergeGroup.HeadSHA
		if len(c.Base) == 0 {
			return nil, unusable(c.Site, "the event file", errors.New("the merge group names no base"))
		}
	case e.Before != "" || e.After != "" || c.Event == "push":
		if err := push(c, e); err != nil {
			return nil, unusable(c.Site, "the event file", err)
		}
	default:
		return nil, unusable(c.Site, "the event file", errors.New("event "+quote(c.Event)+" is not about a change; give --base"))
	}
	return c, nil
}

// check refuses names of commits that are none. A branch or an expression in their place would be looked up as such.
func (e *event) check() error {
	names := []string{e.Before, e.After}
	if p := e.PullRequest; p != nil {
		names = append(names, p.Base.SHA, p.Head.SHA)
	}
	if g := e.MergeGroup; g != nil {
		names = append(names, g.BaseSHA, g.HeadSHA)
	}
	for _, n := range names {
		if n != "" && (len(n) != 40 && len(n) != 64 || strings.Trim(n, "0123456789abcdef") != "") {
			return errors.New(quote(n) + " is not the name of a commit")
		}
	}
	return nil
}

// push compares what a branch was with what it is; a new branch is compared with the default one.
func push(c *Change, e event) error {
	c.Head = e.After
	switch {
	case e.Deleted || zero(e.After) && e.After != "":
		c.Nothing = text("the branch was deleted", "分支已被删除")
	case strings.HasPrefix(e.Ref, "refs/tags/"):
		c.Nothing = text("a tag was pushed, no branch", "推送的是标签而不是分支")
	default:
		c.Base = list(e.Before, remote(e.Repository.DefaultBranch))
		if standard := e.Repository.DefaultBranch; zero(e.Before) && standard != "" && e.Ref == "refs/heads/"+standard {
			c.Nothing, c.Base = text("this is the first push of the default branch", "这是默认分支的首次推送"), nil
		} else if len(c.Base) == 0 {
			return errors.New("the push names nothing that came before; give --base")
		}
	}
	return nil
}

func text(en, zh string) *schema.Text { return &schema.Text{En: en, Zh: zh} }

// quote shortens and quotes a word of a stranger.
func quote(s string) string {
	if len(s) > 60 {
		s = s[:60]
	}
	b, err := json.Marshal(s)
	if err != nil {
		return `"?"`
	}
	return string(b)
}
