package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// checkStaged judges what is staged: of the index, the pools that hold a copy in a file that differs from the last
// commit. Every finding counts as new, as in every check.
func (o *options) checkStaged(ctx context.Context, path string) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	s := &span{o: o, flags: &ciFlags{}, request: r}
	defer s.close()
	run := o.newRun("check", &workspace{}, r)
	abandon := func(err error) error { return o.abandon(run, s.workspace(), r, err) }
	if err := s.openRepo(path); err != nil {
		return abandon(err)
	}
	if err := s.stagedEnds(); err != nil {
		return abandon(err)
	}
	run.Root, run.Source = s.root, s.source
	c, err := s.judge(ctx)
	if err != nil {
		return abandon(err)
	}
	run.Findings = staged(c)
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Status != schema.Suppressed {
			f.Status = schema.New
		}
	}
	s.describe(run, c)
	run.Obligations = nil
	if c.Whole != nil && c.Base.File != "" {
		run.Summary.Pools = len(c.Touched)
	}
	missing, err := s.noSuchName(ctx, c)
	switch {
	case err != nil:
		return abandon(err)
	case missing != nil:
		run.Findings, run.Summary.Pools = nil, 0
	case run.Summary.Copies == 0:
		text := schema.Textf("no copy of a pool is staged or committed", "暂存区与提交中都没有池的副本")
		missing = &text
	}
	o.conclude(run, r, missing)
	short := incomplete(run, c)
	if err := o.finish(run, s.workspace(), r); err != nil {
		return err
	}
	if short != nil {
		return short
	}
	return o.judged(run, r, missing)
}

// staged returns what is found in staged files and about pools that these touch. Where the manifest is staged everything was
// looked at, and what was so before and has nothing to do with it is nobody's matter now; that there is a manifest at all is
// everybody's.
func staged(c *change.Change) []schema.Finding {
	if c.Whole == nil || c.Base.File == "" {
		return c.Head.Audit.Findings
	}
	touched := map[evidence.Pool]bool{}
	for _, p := range c.Touched {
		touched[p] = true
	}
	return slices.DeleteFunc(c.Head.Audit.Findings, func(f schema.Finding) bool {
		return f.Status == schema.Existing && !c.Changed[f.At.File] && !slices.ContainsFunc(append(f.Also, f.Env), func(env string) bool {
			return touched[evidence.Pool{Env: env, Name: f.Pool}]
		})
	})
}

// indexFile is the index that git handed to the hook that runs this, empty if none: git commit -a stages into one of its own.
// In a hook of another repository it is that one's, and does not count.
func (s *span) indexFile() string {
	file := s.o.env.getenv("GIT_INDEX_FILE")
	if file == "" {
		return ""
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	if own, other := repository(here), repository(s.root); own == "" || own != other {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(here, file)
	}
	return file
}

// stagedEnds are the last commit, or nothing where there is none yet, and the index.
func (s *span) stagedEnds() error {
	return s.openTrees(func(prefix string) (base, head change.Tree, err error) {
		if file := s.indexFile(); file != "" {
			head, err = s.repo.IndexAt(file, prefix)
		} else {
			head, err = s.repo.Index(prefix)
		}
		if err != nil {
			return nil, nil, err
		}
		c, err := s.repo.Resolve("HEAD")
		if isKind(err, git.EmptyRepository) || isKind(err, git.UnknownRevision) {
			return git.Empty(), head, nil
		}
		if err != nil {
			return nil, nil, err
		}
		base, err = s.repo.Tree(c, prefix)
		return base, head, err
	})
}
