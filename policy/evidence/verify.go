package evidence

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Repositories opens other repositories, those only that the base manifest names.
type Repositories interface {
	// Open opens the repository of a source: source.Repo, as the base spells it. An error means that nobody could look; its
	// text is shown and names no secret.
	Open(ctx context.Context, source *schema.Source) (Repository, error)
}

// Repository is another repository in which a side was aligned.
type Repository interface {
	// Reachable reports whether a commit, as an order names it (perhaps shortened), is in the history of the source's Ref; of
	// the default branch where the source has none. The commit that is not there at all is not reachable.
	Reachable(ctx context.Context, commit string) (bool, error)
	// Copies reads a file at a commit as the source reads it. The error wraps fs.ErrNotExist where there is none.
	Copies(ctx context.Context, commit, file string) ([]schema.Copy, error)
}

// verify looks whether a commit of another repository aligned a side: it is reachable from the ref that the base names,
// the copy there has the digest, and it compares clean with the truth of head.
func (c *change) verify(item schema.Item, side schema.Side, a *schema.Aligned) (verdict, schema.Text) {
	list := c.sourcesOf(side, a.Repo)
	if len(list) == 0 {
		return unverified, schema.Textf("the base's manifest names no such repository for the %s side", "变更前的清单没有为%s方写明该仓库", rules.SideName(side))
	}
	at := slices.IndexFunc(list, func(s *schema.Source) bool { return reads(s, a.File) })
	if at < 0 {
		return stale, schema.Textf("no source of the base's manifest reads %s there", "变更前清单的来源都不读取其中的 %s", a.File)
	}
	if c.options.Repositories == nil {
		return unverified, schema.Textf("other repositories are not opened here", "此处不打开其他仓库")
	}
	source := list[at]
	repo, err := c.options.Repositories.Open(c.ctx, source)
	if err != nil {
		return unverified, schema.Textf("%v", "%v", err)
	}
	switch ok, err := repo.Reachable(c.ctx, a.Commit); {
	case err != nil:
		return unverified, schema.Textf("%v", "%v", err)
	case !ok:
		return stale, schema.Textf("the commit %s is not reachable from %s", "提交 %s 无法从 %s 到达", short(a.Commit), or(source.Ref, "its default branch"))
	}
	copies, err := repo.Copies(c.ctx, a.Commit, a.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stale, schema.Textf("the commit %s has no file %s", "提交 %s 中没有文件 %s", short(a.Commit), a.File)
	case err != nil:
		return unverified, schema.Textf("%v", "%v", err)
	}
	copy := c.find(copies)
	if copy == nil || !copy.States(item) {
		return stale, schema.Textf("%s does not state the %s of %s there", "其中的 %[1]s 没有写 %[3]s 的%[2]s", a.File, rules.ItemName(item), c.pool.name)
	}
	if got := schema.Digest(copy, item); got != a.Digest {
		return stale, schema.Textf("the digest there is %s", "该处的摘要为 %s", got)
	}
	if bad := c.foreign(item, copy); len(bad) > 0 {
		return stale, schema.Textf("the copy there does not follow: %s", "该处的副本没有跟随：%s", listed(bad))
	}
	return verified, schema.Text{}
}

// reads reports whether a source names a file.
func reads(s *schema.Source, file string) bool {
	for _, x := range s.Exclude {
		if matches(x, file) {
			return false
		}
	}
	return slices.ContainsFunc(s.Files, func(p string) bool { return matches(p, file) })
}

// find returns the copy of this pool among those of a file. Pairing them together with the truth tells by which names the
// manifest knows it.
func (c *change) find(copies []schema.Copy) *schema.Copy {
	var all []*schema.Copy
	foreign := map[*schema.Copy]bool{}
	for i := range copies {
		foreign[&copies[i]] = true
		all = append(all, &copies[i])
	}
	known := func(p *rules.Pool) {
		if p == nil {
			return
		}
		for _, x := range p.Group.Copies {
			if x.Side != schema.Doc {
				own := *x
				all = append(all, &own)
			}
		}
	}
	known(c.head)
	if c.head == nil {
		known(c.base)
	}
	for _, g := range reconcile.Pair(all, c.judge.head.manifest, nil).Groups {
		if reconcile.Key(g.Pool) != reconcile.Key(c.pool.name) || g.Env != "" && c.pool.env != "" && g.Env != c.pool.env {
			continue
		}
		for _, x := range g.Copies {
			if foreign[x] {
				return x
			}
		}
	}
	return nil
}

// foreign compares a copy of another repository with the truth of head.
func (c *change) foreign(item schema.Item, copy *schema.Copy) []rules.Judged {
	if truthOf(c.head, item) == nil {
		return nil
	}
	g := *c.head.Group
	g.Copies = append(slices.Clone(g.Copies), copy)
	e := c.judge.head
	p := rules.Build(&g, &truth.Table{Manifest: e.manifest, Orders: e.Audit.Orders, Now: e.now}, &rules.Run{Manifest: e.manifest, Now: e.now})
	bad, doubtful := c.problems(p, item, copy)
	return append(bad, doubtful...)
}
