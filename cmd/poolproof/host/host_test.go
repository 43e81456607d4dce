package host

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	base = "1111111111111111111111111111111111111111"
	head = "2222222222222222222222222222222222222222"
	none = "0000000000000000000000000000000000000000"
)

func runner(vars map[string]string, file string) Runner {
	return Runner{
		Getenv: func(name string) string { return vars[name] },
		Read: func(path string) ([]byte, error) {
			if path != "event.json" {
				return nil, fs.ErrNotExist
			}
			return []byte(file), nil
		},
	}
}

func githubVars(event string, more ...string) map[string]string {
	vars := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": "event.json"}
	for i := 0; i < len(more); i += 2 {
		vars[more[i]] = more[i+1]
	}
	return vars
}

func TestDetect(t *testing.T) {
	pull := `{"pull_request":{"body":"why\u001b[2J","base":{"sha":"` + base + `","ref":"main"},"head":{"sha":"` + head + `","ref":"change"}}}`
	for _, c := range []struct {
		name string
		vars map[string]string
		file string
		want Change
	}{
		{"pull request", githubVars("pull_request"), pull,
			Change{Site: "GitHub", Event: "pull_request", Base: []string{base, "origin/main"}, Tip: head, Text: "why\x1b[2J"}},
		{"pull request with the base checked out", githubVars("pull_request_target"), pull,
			Change{Site: "GitHub", Event: "pull_request_target", Base: []string{base, "origin/main"}, Head: head, Tip: head, Text: "why\x1b[2J"}},
		{"no text", githubVars("pull_request"), `{"pull_request":{"body":null,"base":{"sha":"` + base + `"},"head":{"sha":"` + head + `"}}}`,
			Change{Site: "GitHub", Event: "pull_request", Base: []string{base}, Tip: head}},
		{"merge queue", githubVars("merge_group"), `{"merge_group":{"base_sha":"` + base + `","base_ref":"refs/heads/main","head_sha":"` + head + `"}}`,
			Change{Site: "GitHub", Event: "merge_group", Base: []string{base, "origin/main"}, Head: head}},
		{"push", githubVars("push"), `{"ref":"refs/heads/main","before":"` + base + `","after":"` + head + `","repository":{"default_branch":"main"}}`,
			Change{Site: "GitHub", Event: "push", Base: []string{base, "origin/main"}, Head: head}},
		{"push of a new branch", githubVars("push"), `{"ref":"refs/heads/x","before":"` + none + `","after":"` + head + `","repository":{"default_branch":"main"}}`,
			Change{Site: "GitHub", Event: "push", Base: []string{"origin/main"}, Head: head}},
		{"first push", githubVars("push"), `{"ref":"refs/heads/main","before":"` + none + `","after":"` + head + `","repository":{"default_branch":"main"}}`,
			Change{Site: "GitHub", Event: "push", Head: head, Nothing: text("this is the first push of the default branch", "这是默认分支的首次推送")}},
		{"deleted branch", githubVars("push"), `{"ref":"refs/heads/x","before":"` + base + `","after":"` + none + `","deleted":true}`,
			Change{Site: "GitHub", Event: "push", Head: none, Nothing: text("the branch was deleted", "分支已被删除")}},
		{"tag", githubVars("push"), `{"ref":"refs/tags/v1","before":"` + none + `","after":"` + head + `"}`,
			Change{Site: "GitHub", Event: "push", Head: head, Nothing: text("a tag was pushed, no branch", "推送的是标签而不是分支")}},
		{"Gitea", githubVars("pull_request", "GITEA_ACTIONS", "true"), pull,
			Change{Site: "Gitea", Event: "pull_request", Base: []string{base, "origin/main"}, Tip: head, Text: "why\x1b[2J"}},
		{"merge request", map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": head,
			"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DESCRIPTION": "why", "CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED": "true"}, "",
			Change{Site: "GitLab", Event: "merge_request_event", Base: []string{base, "origin/main"}, Head: head, Text: "why", TextCut: true}},
		{"merged results", map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": head,
			"CI_MERGE_REQUEST_DIFF_BASE_SHA": "3" + base[1:], "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}, "",
			Change{Site: "GitLab", Event: "merge_request_event", Base: []string{base, "3" + base[1:], "origin/main"}, Head: head}},
		{"push to GitLab", map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_SHA": head, "CI_COMMIT_BEFORE_SHA": base, "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}, "",
			Change{Site: "GitLab", Event: "push", Base: []string{base, "origin/main"}, Head: head}},
		{"new branch on GitLab", map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_SHA": head, "CI_COMMIT_BEFORE_SHA": none, "CI_COMMIT_BRANCH": "x", "CI_DEFAULT_BRANCH": "main"}, "",
			Change{Site: "GitLab", Event: "push", Base: []string{"origin/main"}, Head: head}},
		{"tag on GitLab", map[string]string{"GITLAB_CI": "true", "CI_COMMIT_TAG": "v1", "CI_COMMIT_SHA": head}, "",
			Change{Site: "GitLab", Head: head, Nothing: text("a tag was pushed, no branch", "推送的是标签而不是分支")}},
	} {
		got, err := Detect(runner(c.vars, c.file))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

func TestUnusable(t *testing.T) {
	if _, err := Detect(runner(nil, "")); !errors.Is(err, ErrNone) {
		t.Errorf("no CI: %v", err)
	}
	for name, c := range map[string]struct {
		vars map[string]string
		file string
		says string
	}{
		"no event file":        {githubVars("push", "GITHUB_EVENT_PATH", ""), "", "GITHUB_EVENT_PATH"},
		"missing event file":   {githubVars("push", "GITHUB_EVENT_PATH", "other"), "", "event file"},
		"broken event file":    {githubVars("push"), "{", "event file"},
		"another event":        {githubVars("schedule\x1b"), "{}", `"schedule\u001b"`},
		"no base":              {githubVars("pull_request"), `{"pull_request":{}}`, "names no base"},
		"merge group, no base": {githubVars("merge_group"), `{"merge_group":{}}`, "names no base"},
		"a push of a new branch, and no default one": {githubVars("push"), `{"ref":"refs/heads/x","before":"` + none + `","after":"` + head + `"}`, "--base"},
		"a push that says nothing":                   {githubVars("push"), `{}`, "--base"},
		"a branch of no name":                        {githubVars("push"), `{"ref":"refs/heads/","before":"` + none + `","after":"` + head + `"}`, "--base"},
		"a base that is no commit":                   {githubVars("pull_request"), `{"pull_request":{"base":{"sha":"HEAD","ref":"main"},"head":{"sha":"` + head + `"}}}`, `"HEAD" is not`},
		"a head that is no commit":                   {githubVars("pull_request_target"), `{"pull_request":{"base":{"sha":"` + base + `"},"head":{"sha":"--x\u001b"}}}`, `"--x\u001b" is not`},
		"a merge group of no commit":                 {githubVars("merge_group"), `{"merge_group":{"base_sha":"main","head_sha":"` + head + `"}}`, `"main" is not`},
		"GitLab without base":                        {map[string]string{"GITLAB_CI": "true"}, "", "--base"},
		"no target":                                  {map[string]string{"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "7"}, "", "names no target"},
	} {
		_, err := Detect(runner(c.vars, c.file))
		if err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
