package host

import "errors"

// gitlab reads the predefined variables of GitLab's CI. In merged-results pipelines and merge trains, what is checked out
// is the merge of the change into the target branch, whose last commit the site then names.
func gitlab(r Runner) (*Change, error) {
	c := &Change{Site: "GitLab", Event: r.Getenv("CI_PIPELINE_SOURCE"), Head: r.Getenv("CI_COMMIT_SHA")}
	if r.Getenv("CI_MERGE_REQUEST_IID") != "" {
		c.Base = list(r.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"), r.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"),
			remote(r.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")))
		c.Text = r.Getenv("CI_MERGE_REQUEST_DESCRIPTION")
		c.TextCut = r.Getenv("CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED") == "true"
		if len(c.Base) == 0 {
			return nil, unusable(c.Site, "CI_MERGE_REQUEST_*", errors.New("the merge request names no target"))
		}
		return c, nil
	}
	before, branch, standard := r.Getenv("CI_COMMIT_BEFORE_SHA"), r.Getenv("CI_COMMIT_BRANCH"), r.Getenv("CI_DEFAULT_BRANCH")
	switch {
	case r.Getenv("CI_COMMIT_TAG") != "":
		c.Nothing = text("a tag was pushed, no branch", "推送的是标签而不是分支")
	case zero(before) && branch != "" && branch == standard:
		c.Nothing = text("nothing came before this commit of the default branch", "默认分支的这次提交之前没有可比较的内容")
	default:
		c.Base = list(before, remote(standard))
		if len(c.Base) == 0 {
			return nil, unusable(c.Site, "CI_COMMIT_BEFORE_SHA", errors.New("not set; give --base"))
		}
	}
	return c, nil
}
