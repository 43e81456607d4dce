package main

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
)

// readers read files again from edited texts, as they were loaded: every source that reads a file, and every file that
// takes part of what it says from it, so that nothing changes unseen.
type readers struct {
	a     *aligner
	again *load.Again
	// root is the tree's folder behind all links, and repo the git repository that it is in, "" for none.
	root, repo string
	// of are the readings of each file, by where the file itself stands.
	of map[string][]reading
	// others are the files of other repositories.
	others map[string]*load.File

	mu sync.Mutex
	// reals are where files stand behind all links, and folders, which have a "/" at the end.
	reals map[string]string
	// repos are the repositories that folders are in.
	repos map[string]string
}

// reading is one way in which a file is read: as itself, by the name that the listing has for it, or as one beside another.
type reading struct {
	file *load.File
	as   string
}

func newReaders(a *aligner) *readers {
	r := &readers{a: a, again: load.NewAgain(a.w.tree, &a.w.manifest, load.Options{Adapters: all.Adapters()}), root: a.w.root,
		reals: map[string]string{}, of: map[string][]reading{}, repos: map[string]string{}, others: map[string]*load.File{}}
	if root, err := filepath.EvalSymlinks(a.w.root); err == nil {
		r.root = root
	}
	r.repo = repository(r.root)
	for _, f := range a.loaded.Files {
		if t, _ := f.Other(); t != nil {
			r.others[f.Path] = f
		}
	}
	return r
}

// real returns where a file of the tree itself stands, behind all links, from the root; its own path where that cannot be
// found out or lies outside.
func (r *readers) real(p string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.reals[p]
	if ok {
		return at
	}
	dir, ok := r.reals[path.Dir(p)+"/"]
	if !ok {
		dir = r.resolve(path.Dir(p))
		r.reals[path.Dir(p)+"/"] = dir
	}
	at = path.Join(dir, path.Base(p))
	if info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(at))); err == nil && info.Mode()&os.ModeSymlink != 0 {
		at = r.resolve(at)
	}
	r.reals[p] = at
	return at
}

// resolve follows all links of a path.
func (r *readers) resolve(p string) string {
	if to, err := filepath.EvalSymlinks(filepath.Join(r.root, filepath.FromSlash(p))); err == nil {
		if rel, ok := inside(r.root, to); ok {
			return rel
		}
	}
	return p
}

// untouchable says why a divergence is not edited whatever can be done about it, nil if that is to be found out.
func (r *readers) untouchable(d *reconcile.Divergence, file string) *schema.Text {
	var why schema.Text
	switch f := r.others[d.Copy.File()]; {
	case d.Copy.Side == schema.Gateway:
		why = schema.Textf("the gateway is edited by its owners", "网关由其负责人修改")
	case d.Copy.Side != schema.App && d.Copy.Side != schema.Doc:
		why = schema.Textf("change orders are not edited", "不修改变更单")
	case f != nil:
		why = schema.Textf("it stands in another repository, %s, which is not edited from here", "它位于另一仓库 %s，不在此处修改", r.a.w.manifest.Sources[f.Source].Repo)
	default:
		repo, ok := r.nested(file)
		if !ok {
			return nil
		}
		why = schema.Textf("it stands in another repository, %s, which is not edited from here", "它位于另一仓库 %s，不在此处修改", repo)
	}
	return &why
}

// nested returns the folder of the repository that a file is in, if that is not the repository of the root.
func (r *readers) nested(file string) (string, bool) {
	if r.repo == "" {
		return "", false
	}
	dir := filepath.Dir(filepath.Join(r.root, filepath.FromSlash(r.real(file))))
	r.mu.Lock()
	defer r.mu.Unlock()
	repo, ok := r.repos[dir]
	if !ok {
		repo = repository(dir)
		r.repos[dir] = repo
	}
	rel, ok := inside(r.root, repo)
	return rel, ok && repo != r.repo
}

// index finds the readings of the files that are to be edited.
func (r *readers) index(jobs map[string]*job) {
	if len(jobs) == 0 {
		return
	}
	add := func(f *load.File, as string) {
		if at := r.real(as); jobs[at] != nil && !slices.Contains(r.of[at], reading{f, as}) {
			r.of[at] = append(r.of[at], reading{f, as})
		}
	}
	for _, f := range r.a.loaded.Files {
		if t, _ := f.Other(); t != nil || f.Format == "" {
			continue
		}
		add(f, f.Path)
		for _, base := range f.Beside() {
			add(f, path.Join(path.Dir(f.Path), base))
		}
	}
}

// read reads a text in a file's place, by all who read the file. Copies that are merged from several files have this one as
// their own; keys are their keys as they are otherwise. What is read alike for two environments, or by two names, stands there once.
func (r *readers) read(at string, text []byte) (out sources.Result, keys []string) {
	bytes := map[string][]byte{}
	for _, x := range r.of[at] {
		bytes[x.as] = text
	}
	var read []*load.File
	first := map[string]int{}
	for _, x := range r.of[at] {
		if slices.Contains(read, x.file) {
			continue
		}
		read = append(read, x.file)
		one := r.again.Read(x.file, bytes)
		out.Orders, out.Problems = append(out.Orders, one.Orders...), append(out.Problems, one.Problems...)
		out.LeftOut += one.LeftOut
		for i := range one.Copies {
			c := &one.Copies[i]
			k := r.key(c)
			turn(c, slices.IndexFunc(c.Files, func(name string) bool { return r.real(name) == at }))
			if j, ok := first[k]; ok && len(read) > 1 && alike(&out.Copies[j], c) {
				out.Copies[j].Env = "" // it stands for both
				continue
			}
			first[k] = len(out.Copies)
			out.Copies, keys = append(out.Copies, *c), append(keys, k)
		}
	}
	return out, keys
}

// alike reports whether two copies are the same but for their environment and the name of their file.
func alike(a, b *schema.Copy) bool {
	x, y := *a, *b
	x.Env, y.Env, x.Files, y.Files = "", "", nil, nil
	return reflect.DeepEqual(&x, &y)
}
