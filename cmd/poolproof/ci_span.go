package main

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/host"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// span is a change between two commits of a repository, or between a commit and what is staged.
type span struct {
	o       *options
	flags   *ciFlags
	request request

	repo       *git.Repo
	root       string // the folder of the manifest, absolute
	prefix     string // of the root inside the repository
	file       string // the manifest that was named, relative to the root; empty if none was
	base, head change.Tree
	text       string // what the author wrote about the change
	notes      []schema.Text
	others     *repositories
	plays      *plays // nil: nothing is played
}

func (s *span) close() {
	if s.others != nil {
		s.others.close()
	}
	if s.repo != nil {
		s.repo.Close()
	}
}

// workspace stands for the head where reports ask for one.
func (s *span) workspace() *workspace {
	w := &workspace{root: s.root, prefix: s.prefix}
	if s.head != nil {
		w.tree = s.head
	}
	return w
}

// open finds the repository and both ends of the change. nothing says why there is nothing to compare, if so.
func (s *span) open(dir string) (nothing *schema.Text, err error) {
	if err := s.openRepo(dir); err != nil {
		return nil, err
	}
	bases, head, tip := []string{s.flags.base}, s.flags.head, ""
	if s.flags.base == "" {
		c, err := host.Detect(host.Runner{Getenv: s.o.env.getenv, Read: readEvent})
		switch {
		case errors.Is(err, host.ErrNone):
			return nil, usage("say what to compare with: --base origin/main (or run it in the CI of GitHub, Gitea or GitLab, which say so themselves)")
		case err != nil:
			return nil, notChecked("%w", err)
		case c.Nothing != nil:
			return c.Nothing, nil
		}
		bases, s.text = c.Base, c.Text
		if head == "" {
			head, tip = c.Head, c.Tip
		}
		if c.TextCut {
			s.notes = append(s.notes, schema.Textf("%s handed over only the beginning of the change's text", "%s 只提供了变更说明的开头部分", c.Site))
		}
	}
	if s.flags.text != "" {
		if s.text, err = readText(s.flags.text); err != nil {
			return nil, err
		}
	}
	if head == "" {
		head = "HEAD"
	}
	return nil, s.ends(bases, head, tip)
}

// openRepo opens the repository and finds out where the root is: the folder of the manifest, or the repository.
func (s *span) openRepo(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return usage("%s: %w", dir, err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return usage("%s is not a folder", dir)
	}
	if s.o.manifest != "" {
		file, err := filepath.Abs(s.o.manifest)
		if err != nil {
			return usage("--manifest: %w", err)
		}
		abs, s.file = filepath.Dir(file), filepath.Base(file)
	}
	if s.repo, err = git.Open(abs); err != nil {
		return trouble(err)
	}
	s.root = abs
	if s.prefix, err = s.repo.Prefix(abs); err != nil {
		return trouble(err)
	}
	if s.prefix == "." {
		s.prefix = ""
	}
	return nil
}

// trouble marks what git cannot answer. The message holds the command that mends it.
func trouble(err error) error { return notChecked("%w", err) }

func isKind(err error, kind git.Kind) bool {
	var t *git.Trouble
	return errors.As(err, &t) && t.Kind == kind
}

// ends resolves both ends. Of the bases, the first that the repository has counts.
func (s *span) ends(bases []string, head, tip string) error {
	to, err := s.repo.Resolve(head)
	if err != nil {
		return trouble(err)
	}
	from := s.mergedInto(to, tip)
	if from == nil {
		if from, err = s.baseOf(bases, to); err != nil {
			return trouble(err)
		}
		if err := s.brings(head, *from, to, tip); err != nil {
			return err
		}
	}
	if *from == to {
		s.notes = append(s.notes, schema.Textf("base and head are the same commit %.12s; what is not committed is not looked at", "基准与变更是同一提交 %.12s；未提交的内容不在检查之列", to))
	} else {
		s.notes = append(s.notes, schema.Textf("compared: %.12s (base) with %.12s (head)", "比较：%.12s（基准）与 %.12s（变更）", *from, to))
	}
	return s.openTrees(func(prefix string) (base, head change.Tree, err error) {
		if base, err = s.repo.Tree(*from, prefix); err != nil {
			return nil, nil, err
		}
		head, err = s.repo.Tree(to, prefix)
		return base, head, err
	})
}

// mergedInto returns what a proposed branch was merged into, where head is that merge: CI systems check such merges out. The
// tip is the last commit of the branch.
func (s *span) mergedInto(head git.Commit, tip string) *git.Commit {
	if tip == "" || tip == head.String() {
		return nil
	}
	second, err := s.repo.Resolve(head.String() + "^2")
	if err != nil || second.String() != tip {
		return nil
	}
	first, err := s.repo.Resolve(head.String() + "^1")
	if err != nil {
		return nil
	}
	return &first
}

// baseOf returns the merge base with the first of the bases that is known.
func (s *span) baseOf(bases []string, head git.Commit) (*git.Commit, error) {
	var first error
	for _, name := range bases {
		c, err := s.repo.Resolve(name)
		if err == nil {
			var merged git.Commit
			if merged, err = s.repo.MergeBase(c, head); err == nil {
				return &merged, nil
			}
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// openTrees opens both trees at the folder that has the manifest: this one, or one above it; this one where there is none. The
// manifest of the base counts before one that the change brings nearer by: a change does not put its own rules over those.
func (s *span) openTrees(open func(prefix string) (base, head change.Tree, err error)) error {
	names := manifest.Names()
	if s.file != "" {
		names = []string{s.file}
	}
	brought := "" // where the change brings a manifest, and the trees there
	var own [2]change.Tree
	for at := s.prefix; ; {
		base, head, err := open(at)
		if err != nil {
			return trouble(err)
		}
		if s.base == nil {
			s.base, s.head = base, head
		}
		if has(base, names) {
			s.base, s.head = base, head
			s.rise(at)
			return nil
		}
		if own[0] == nil && has(head, names) {
			brought, own = at, [2]change.Tree{base, head}
		}
		if at == "" || s.file != "" {
			break
		}
		if at = path.Dir(at); at == "." {
			at = ""
		}
	}
	if own[0] != nil {
		s.base, s.head = own[0], own[1]
		s.rise(brought)
	}
	return nil
}

// rise moves the root up to a folder of the repository.
func (s *span) rise(prefix string) {
	for s.prefix != prefix && s.prefix != "" {
		s.root = filepath.Dir(s.root)
		if s.prefix = path.Dir(s.prefix); s.prefix == "." {
			s.prefix = ""
		}
	}
}

func has(t change.Tree, names []string) bool {
	for _, n := range names {
		if _, ok := t.ID(n); ok {
			return true
		}
	}
	return false
}

// judge reads and judges both ends.
func (s *span) judge(ctx context.Context) (*change.Change, error) {
	o := s.o
	opts := change.Options{
		Base: s.base, Head: s.head, Manifest: s.file, Further: unknownNames,
		Load:  load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer)},
		Rules: s.request.rules, Now: s.request.now, Pools: o.pools, RuleNames: o.rules, Env: o.poolEnv,
	}
	opts.Elsewhere = s.elsewhere(ctx)
	if s.text != "" {
		opts.PullRequest = evidence.ReadPullRequest([]byte(s.text))
	}
	opts.Trim = s.repo.Trim
	if !o.noCache {
		if c := o.openCache(s.root); c != nil {
			opts.Load.Cache = c
			closed := make(chan error, 1)
			stop := sync.OnceFunc(func() {
				go func() { closed <- c.Close() }()
			})
			opts.Read = stop
			defer func() {
				stop() // also where reading failed
				if err := <-closed; err != nil {
					o.note("the cache is not kept: %v", err)
				}
			}()
		}
		opts.Store = s.store
	}
	if s.plays != nil {
		opts.Visit, opts.Visited = s.plays.visit(ctx), ruleFailed
	}
	progress := o.progress("reading")
	opts.Load.Progress = progress.set
	c, err := change.Judge(ctx, opts)
	progress.done()
	if err != nil {
		return nil, s.asUsage(err)
	}
	if c.Unindexed != nil {
		o.note("the index is not kept: %v", c.Unindexed)
	}
	return c, nil
}

// store keeps the index of this root's trees.
func (s *span) store(manifest string) change.Store {
	if r := indexRecord(s.root, manifest); r != nil {
		return r
	}
	return nil
}

// source returns the text of a place's file at its revision.
func (s *span) source(p schema.Place) ([]byte, bool) {
	t := s.head
	if p.Revision != "" && p.Revision == s.base.Revision() {
		t = s.base
	}
	if p.File == "" {
		return nil, false
	}
	data, err := t.Read(p.File)
	if err != nil && s.others != nil {
		return s.others.read(p.File)
	}
	return data, err == nil
}

// elsewhere opens the repositories that the base's manifest names, and those that the command line allows.
func (s *span) elsewhere(ctx context.Context) func(*schema.Manifest) (func(*schema.Source) (tree.Tree, error), evidence.Repositories) {
	return func(m *schema.Manifest) (func(*schema.Source) (tree.Tree, error), evidence.Repositories) {
		named := s.named()
		s.others = &repositories{ctx: ctx, root: s.root, manifest: m,
			allow: func(repo string) bool { return named[repo] || allowed(repo, s.flags.allowRepos) },
			reader: func(m *schema.Manifest, t tree.Tree) (*load.Loaded, error) {
				return load.Load(ctx, t, m, load.Options{Adapters: all.Adapters()})
			},
		}
		return s.others.tree, s.others
	}
}

// named are the repositories that the manifest of the base names. What the change adds is not allowed yet.
func (s *span) named() map[string]bool {
	named := map[string]bool{}
	names := manifest.Names()
	if s.file != "" {
		names = []string{s.file}
	}
	for _, n := range names {
		data, err := s.base.Read(n)
		if err != nil {
			continue
		}
		m, _ := manifest.Load(n, data)
		for i := range m.Sources {
			named[m.Sources[i].Repo] = true
		}
		break
	}
	return named
}

// allowed reports whether a repository starts with one of some prefixes.
func allowed(repo string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return p != "" && strings.HasPrefix(repo, p) })
}

// describe fills the summary of a report.
func (s *span) describe(run *report.Run, c *change.Change) {
	sum := &run.Summary
	sum.Pools, sum.Rules, sum.Sides, sum.Files = len(c.Touched), len(s.request.rules), c.Head.Totals.Sides, c.Head.Totals.Files
	if c.Whole != nil {
		sum.Pools = c.Head.Audit.Pools
	}
	for _, n := range sum.Sides {
		sum.Copies += n
	}
	for _, name := range sortedKeys(c.Head.Totals.Formats) {
		sum.Formats = append(sum.Formats, report.FormatCount{Name: name, Files: c.Head.Totals.Formats[name]})
	}
	sum.Discovered = c.Head.File == "" && c.Base.File == ""
	for _, skip := range c.Head.Audit.Skipped {
		sum.Skipped = append(sum.Skipped, report.Skip{What: skip.What, Why: skip.Why})
	}
	sum.Notes = append(sum.Notes, s.unread(sum, c)...)
	for _, o := range c.Evidence.Obligations {
		run.Obligations = append(run.Obligations, report.Obligation{Pool: o.Pool, Item: o.Item, Changed: o.Changed, Owes: o.Owes, PaidBy: o.PaidBy, Ref: o.Ref})
	}
	switch {
	case c.Whole != nil:
		sum.Notes = append(sum.Notes, schema.Textf("everything was looked at: %s", "已检查全部：%s", c.Whole.En))
		sum.Notes[len(sum.Notes)-1].Zh = "已检查全部：" + c.Whole.Zh
	case len(c.Touched) == 0:
		sum.Notes = append(sum.Notes, schema.Textf("the change touches no pool", "本次变更未涉及任何池"))
	default:
		sum.Notes = append(sum.Notes, schema.Textf("changed files: %d; pools that they hold copies of: %d", "变更文件：%d 个；其中含有副本的池：%d 个", len(c.Changed), len(c.Touched)))
	}
}
