package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// workspace is the tree that a command looks at, and the manifest that says how.
type workspace struct {
	tree         tree.Tree
	root         string // absolute
	prefix       string // of the root inside its git repository, "" if it is the repository
	manifest     schema.Manifest
	manifestText []byte
	problems     []schema.Problem // of the manifest
	// below limits the report to this path inside the root, "" for all of it.
	below string
	notes []schema.Text
	// packed keeps the copies small between reading and judging.
	packed bool
	// other opens the other repository that a source names; nil: none is read.
	other func(*schema.Source) (tree.Tree, error)
	// whole: all of the tree is read for its own sake, so that what is learnt is worth keeping for ci.
	whole bool
}

// close releases the tree.
func (w *workspace) close() {
	if c, ok := w.tree.(io.Closer); ok {
		c.Close()
	}
}

// openWorkspace finds the root and the manifest for a path, "" for the current folder: a folder, a folder inside a
// repository whose root has the manifest, or a single file.
func (o *options) openWorkspace(path string) (*workspace, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, usage("%s: %w", path, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, usage("%s: %w", path, bare(err))
	}
	dir := abs
	if !info.IsDir() {
		dir = filepath.Dir(abs)
	}
	w := &workspace{root: dir}
	file := ""
	if o.manifest != "" {
		if file, err = filepath.Abs(o.manifest); err != nil {
			return nil, usage("--manifest: %w", err)
		}
		w.root = filepath.Dir(file)
		if _, ok := inside(w.root, abs); !ok && path != "" {
			w.root = dir
		}
	} else if root, name := findManifest(dir); name != "" {
		w.root, file = root, filepath.Join(root, name)
	}
	if w.tree, err = tree.OpenWork(w.root); err != nil {
		return nil, notChecked("%w", err)
	}
	if abs != file {
		w.below, _ = inside(w.root, abs)
	}
	if repo := repository(w.root); repo != "" {
		w.prefix, _ = inside(repo, w.root)
	}
	if file == "" {
		return w, nil
	}
	if err := o.readManifest(w, file); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// openBare opens a folder as a root without looking for a manifest.
func openBare(dir string) (*workspace, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, usage("%s: %w", dir, bare(err))
	}
	if !info.IsDir() {
		return nil, usage("%s is not a folder", dir)
	}
	t, err := tree.OpenWork(dir)
	if err != nil {
		return nil, notChecked("%w", err)
	}
	return &workspace{tree: t, root: dir}, nil
}

// inside returns the path of p from dir, with '/' and "" for dir itself; not ok if p lies outside.
func inside(dir, p string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, p)
	switch {
	case err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)):
		return "", false
	case rel == ".":
		return "", true
	}
	return filepath.ToSlash(rel), true
}

// bare takes the operation and the path off an error of the file system, where the message names the path already.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// repository returns the root of the git repository that dir is in, or "".
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// load reads what the manifest names; without a manifest, it finds out what there is.
func (w *workspace) load(ctx context.Context, o *options) (*load.Loaded, error) {
	opts := load.Options{Adapters: all.Adapters(), Other: w.other}
	if w.packed {
		opts.Packer = new(pack.Packer)
	}
	if w.manifest.File == "" {
		m, err := load.Discover(ctx, w.tree, opts, w.below)
		if err != nil {
			return nil, notChecked("looking for known formats: %w", err)
		}
		w.manifest = *m
		w.below = ""
	}
	if err := o.protect(w); err != nil {
		return nil, err
	}
	if !o.noCache {
		if c := o.openCache(w.root); c != nil {
			opts.Cache = c
			defer func() {
				if err := c.Close(); err != nil {
					o.note("the cache is not kept: %v", err)
				}
			}()
		}
	}
	var index *cache.Record
	if w.whole {
		if index = w.wantsIndex(o); index != nil {
			opts.Name = blobName
		}
	}
	progress := o.progress("reading")
	opts.Progress = progress.set
	l, err := load.Load(ctx, w.tree, &w.manifest, opts)
	progress.done()
	var pattern *load.PatternError
	switch {
	case errors.As(err, &pattern):
		return nil, usage("%s:%d: %w", w.manifest.File, lineAt(w.manifestText, int(pattern.At.Start)), err)
	case err != nil:
		return nil, notChecked("reading the copies: %w", err)
	}
	w.remember(o, index, l)
	return l, nil
}

// touched lists the files below w.below.
func (w *workspace) touched(l *load.Loaded) map[string]bool {
	files := map[string]bool{}
	for _, f := range l.Files {
		if f.Path == w.below || strings.HasPrefix(f.Path, w.below+"/") {
			files[f.Path] = true
		}
	}
	return files
}

// source returns the text of a place's file, for positions and source lines. It keeps the last file, since places come
// file by file.
func (w *workspace) source() report.Source {
	var name string
	var text []byte
	return func(p schema.Place) ([]byte, bool) {
		if p.File == w.manifest.File && w.manifestText != nil {
			return w.manifestText, true
		}
		if p.File == "" || !fs.ValidPath(p.File) {
			return nil, false
		}
		if p.File != name {
			data, err := w.tree.Read(p.File)
			if err != nil {
				return nil, false
			}
			name, text = p.File, data
		}
		return text, true
	}
}
