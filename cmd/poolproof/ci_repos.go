package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// repositories opens other repositories, each once. It opens those only that the operator allows.
type repositories struct {
	ctx context.Context
	// root is the folder that relative paths start from.
	root string
	// allow reports whether a source's repository may be opened.
	allow  func(repo string) bool
	reader func(m *schema.Manifest, t tree.Tree) (*load.Loaded, error)
	// manifest is what files of other repositories are read with.
	manifest *schema.Manifest

	mu    sync.Mutex
	open  map[string]*opened
	trees map[string]*git.Tree // by the repository as sources spell it
}

type opened struct {
	repo *git.Repo
	err  error
}

func (r *repositories) close() {
	for _, o := range r.open {
		if o.repo != nil {
			o.repo.Close()
		}
	}
}

// repo opens the repository of a source.
func (r *repositories) repo(s *schema.Source) (*git.Repo, error) {
	if !r.allow(s.Repo) {
		return nil, fmt.Errorf("the operator has not allowed this repository (--allow-repo %s)", s.Repo)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id := s.Repo + "\x00" + s.Ref
	if o := r.open[id]; o != nil {
		return o.repo, o.err
	}
	o := &opened{}
	address := s.Repo
	if u, err := url.Parse(address); (err != nil || u.Scheme == "") && !strings.Contains(address, "@") && !filepath.IsAbs(address) {
		address = filepath.Join(r.root, filepath.FromSlash(address))
	}
	var refs []string
	if s.Ref != "" {
		refs = []string{s.Ref}
	}
	o.repo, o.err = git.OpenURL(r.ctx, address, git.Fetch{}, refs...)
	if r.open == nil {
		r.open = map[string]*opened{}
	}
	r.open[id] = o
	return o.repo, o.err
}

// ref is what counts of the repository of a source.
func ref(s *schema.Source) string {
	if s.Ref == "" {
		return "HEAD"
	}
	return s.Ref
}

// tree opens the repository of a source at its ref.
func (r *repositories) tree(s *schema.Source) (tree.Tree, error) {
	repo, err := r.repo(s)
	if err != nil {
		return nil, err
	}
	c, err := repo.Resolve(ref(s))
	if err != nil {
		return nil, err
	}
	t, err := repo.Tree(c, "")
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trees == nil {
		r.trees = map[string]*git.Tree{}
	}
	r.trees[strings.TrimRight(s.Repo, "/")] = t
	return t, nil
}

// read returns the text of a file of another repository, by the name that reports use.
func (r *repositories) read(file string) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, t := range r.trees {
		if inner, ok := strings.CutPrefix(file, name+"/"); ok {
			if data, err := t.Read(inner); err == nil {
				return data, true
			}
		}
	}
	return nil, false
}

// Open implements evidence.Repositories.
func (r *repositories) Open(_ context.Context, s *schema.Source) (evidence.Repository, error) {
	repo, err := r.repo(s)
	if err != nil {
		return nil, err
	}
	return &elsewhere{r, repo, s}, nil
}

// elsewhere is another repository as one source of the manifest sees it.
type elsewhere struct {
	all    *repositories
	repo   *git.Repo
	source *schema.Source
}

// Reachable implements evidence.Repository.
func (r *elsewhere) Reachable(_ context.Context, commit string) (bool, error) {
	c, err := r.repo.Resolve(commit)
	if err != nil {
		return false, nil // a commit that is not there is not reachable
	}
	return r.repo.Contains(ref(r.source), c)
}

// Copies implements evidence.Repository.
func (r *elsewhere) Copies(_ context.Context, commit, file string) ([]schema.Copy, error) {
	c, err := r.repo.Resolve(commit)
	if err != nil {
		return nil, err
	}
	t, err := r.repo.Tree(c, "")
	if err != nil {
		return nil, err
	}
	if _, err := t.Read(file); err != nil {
		return nil, err
	}
	s := *r.source
	s.Repo, s.Files, s.Exclude = "", []string{load.EscapePattern(file)}, nil
	for _, pattern := range r.source.Files {
		if g, err := tree.CompileGlob(pattern); err == nil && s.Env == "" {
			s.Env, _ = g.Match(file)
		}
	}
	m := *r.all.manifest
	m.Sources = []schema.Source{s}
	l, err := r.all.reader(&m, t)
	if err != nil {
		return nil, err
	}
	var copies []schema.Copy
	for _, f := range l.Files {
		for i := range f.Result.Copies {
			copies = append(copies, *l.Whole(&f.Result.Copies[i]))
		}
	}
	return copies, nil
}
