package main

import (
	"os"
	"path"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// compareWith opens the tree to compare with: a folder, or a revision of the repository that the stage's tree is in.
func (d *dry) compareWith(base string) error {
	if base == "" {
		return nil
	}
	d.base = base
	info, err := os.Stat(base)
	switch {
	case err == nil && !info.IsDir():
		return usage("--compare %s is a file. It takes a folder or a git revision", base)
	case err == nil:
		return d.compareFolder(base)
	}
	for _, s := range d.stages {
		if err := d.compareRevision(s, base); err != nil {
			return err
		}
	}
	return nil
}

func (d *dry) compareFolder(base string) error {
	for _, s := range d.stages {
		dir := base
		if s.alone {
			// The folder of the scenario in the other tree, if it has one; else the folder itself.
			if rel, ok := inside(d.cwd, s.w.root); ok {
				if other := filepath.Join(base, filepath.FromSlash(rel)); isFolder(other) {
					dir = other
				}
			}
		}
		var err error
		if s.base, err = d.o.openBase(dir, s); err != nil {
			return err
		}
	}
	return nil
}

// openBase opens the folder that a stage is compared with.
func (o *options) openBase(dir string, s *stage) (*workspace, error) {
	if s.alone {
		w, err := openBare(dir)
		if err == nil {
			w.manifest = s.w.manifest
		}
		return w, err
	}
	plain := *o
	plain.manifest = ""
	if o.manifest != "" { // the manifest of the same name in the other tree, if there is one
		if other := filepath.Join(dir, filepath.Base(o.manifest)); isFile(other) {
			plain.manifest = other
		}
	}
	return plain.openWorkspace(dir)
}

// compareRevision opens the stage's own folder as it was at a revision.
func (d *dry) compareRevision(s *stage, revision string) error {
	repo, err := git.Open(s.w.root)
	if err != nil {
		return notChecked("--compare %s is no folder, and as a git revision: %w", revision, err)
	}
	d.repos = append(d.repos, repo)
	commit, err := repo.Resolve(revision)
	if err != nil {
		return notChecked("--compare: %w", err)
	}
	prefix, err := repo.Prefix(s.w.root)
	if err != nil {
		return notChecked("--compare: %w", err)
	}
	t, err := repo.Tree(commit, prefix)
	if err != nil {
		return notChecked("--compare: %w", err)
	}
	d.revision = commit.String()
	s.base = &workspace{tree: t, root: s.w.root, prefix: prefix}
	if s.alone {
		s.base.manifest = s.w.manifest
		return nil
	}
	names := manifest.Names()
	if s.w.manifest.File != "" {
		names = append([]string{path.Base(s.w.manifest.File)}, names...)
	}
	for _, name := range names {
		if _, ok := t.ID(name); !ok {
			continue
		}
		data, err := t.Read(name)
		if err != nil {
			return notChecked("reading the manifest of %s: %w", revision, err)
		}
		return d.o.useManifest(s.base, name, data, revision)
	}
	return nil
}

// useManifest takes over a manifest that was read from elsewhere than the file system. One by which nothing can be read
// keeps the base from being compared with, and is no fault of the command line.
func (o *options) useManifest(w *workspace, name string, data []byte, revision string) error {
	w.manifest, w.problems = manifest.Load(name, data)
	w.manifest.File, w.manifestText = name, data
	if unusable(w) {
		return notChecked("the manifest of %s: %w", revision, o.manifestError(w))
	}
	return nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// gone notes the pools that only the base has: nothing of them is played.
func (d *dry) gone(before, now *house) {
	if before == nil {
		return
	}
	have := map[string]bool{}
	for _, p := range now.pools {
		have[key(p)] = true
	}
	for _, p := range before.pools {
		if !have[key(p)] {
			d.skipped = append(d.skipped, drill.Skipped{Pool: p.Group.Pool, Env: p.Group.Env, Why: schema.Textf("only the base has it", "仅变更前存在")})
		}
	}
}
