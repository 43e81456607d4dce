package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/app/mapped"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// workspace is the tree that a command looks at, and the manifest that says how.
type workspace struct {
	tree     tree.Tree
	root     string // absolute
	prefix   string // of the root inside its git repository, "" if it is the repository
	manifest schema.Manifest
	problems []schema.Problem // of the manifest
	// below limits the report to this path inside the root, "" for all of it.
	below string
}

// close releases the tree.
func (w *workspace) close() {
	if c, ok := w.tree.(io.Closer); ok {
		c.Close()
	}
}

// single is a tree of one file, named "-".
type single struct{ data []byte }

func (s single) Revision() string { return "" }

func (s single) List(string, func(string) bool) ([]tree.Entry, error) {
	return []tree.Entry{{Path: "-"}}, nil
}

func (s single) Read(path string) ([]byte, error) {
	if path != "-" {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return s.data, nil
}

// openWorkspace finds the root and the manifest for a path: a folder, a folder inside a repository whose root has the
// manifest, or a single file.
func (o *options) openWorkspace(path string) (*workspace, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, usage("%s: %w", path, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, usage("%s: %w", path, errors.Unwrap(err))
	}
	dir := abs
	if !info.IsDir() {
		dir = filepath.Dir(abs)
	}
	w := &workspace{root: dir}
	name := ""
	if o.manifest != "" {
		if name, err = filepath.Abs(o.manifest); err != nil {
			return nil, usage("--manifest: %w", err)
		}
		w.root, name = filepath.Dir(name), filepath.Base(name)
	} else if w.root, name = findManifest(dir); name == "" {
		w.root = dir
	}
	if w.tree, err = tree.OpenWork(w.root); err != nil {
		return nil, notChecked("%w", err)
	}
	if rel, err := filepath.Rel(w.root, abs); err == nil && rel != "." && !strings.HasPrefix(rel, "..") {
		w.below = filepath.ToSlash(rel)
	}
	if repo := repository(w.root); repo != "" {
		if rel, err := filepath.Rel(repo, w.root); err == nil && rel != "." {
			w.prefix = filepath.ToSlash(rel)
		}
	}
	if name == "" {
		return w, nil
	}
	data, err := w.tree.Read(name)
	if err != nil {
		return nil, usage("reading the manifest: %w", err)
	}
	w.manifest, w.problems = manifest.Load(name, data)
	w.manifest.File = name
	for i := range w.manifest.Sources {
		if m := w.manifest.Sources[i].Map; m != nil {
			w.problems = append(w.problems, mapped.Validate(m)...)
		}
	}
	w.problems = append(w.problems, unknownWords(&w.manifest)...)
	if unusable(w) {
		return nil, &exitError{exitUsage, manifestError(w, data)}
	}
	return w, nil
}

// unknownWords reports vocabulary entries for meanings that do not exist.
func unknownWords(m *schema.Manifest) []schema.Problem {
	var out []schema.Problem
	words := vocabulary.Builtin()
	for _, key := range sortedKeys(m.Vocabulary) {
		if !words.Knows(key) {
			out = append(out, schema.Problem{Rule: "schema/unknown-key", Field: "vocabulary." + key, Got: key,
				Text: schema.Textf("vocabulary: %q is no known meaning", "vocabulary：%q 不是已知的含义", key),
				Hint: schema.Textf("use a word that documents already understand, such as Address or Cooldown", "使用文档已能识别的词，如 地址 或 冷却时长")})
		}
	}
	return out
}

// manifestNames are the names that a manifest can have at the root.
func manifestNames() []string {
	return []string{"poolproof.cue", "poolproof.yaml", "poolproof.yml", "poolproof.json"}
}

// findManifest looks in dir, and above it up to the root of its git repository.
func findManifest(dir string) (root, name string) {
	top := repository(dir)
	for at := dir; ; at = filepath.Dir(at) {
		for _, n := range manifestNames() {
			if info, err := os.Stat(filepath.Join(at, n)); err == nil && info.Mode().IsRegular() {
				return at, n
			}
		}
		if top == "" || at == top || at == filepath.Dir(at) {
			return dir, ""
		}
	}
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

// unusable reports whether a manifest is so broken that nothing can be read by it.
func unusable(w *workspace) bool {
	for _, p := range w.problems {
		if p.Rule == "source/syntax" {
			return true
		}
	}
	return len(w.manifest.Sources) == 0
}

func manifestError(w *workspace, data []byte) error {
	for _, p := range w.problems {
		if p.Rule == "source/syntax" || len(w.manifest.Sources) == 0 {
			line := 1 + strings.Count(string(data[:min(int(p.At.Start), len(data))]), "\n")
			return fmt.Errorf("%s:%d: %s", w.manifest.File, line, p.Text.En)
		}
	}
	return fmt.Errorf("%s names no sources", w.manifest.File)
}

// load reads what the manifest names; without a manifest, it finds out what there is.
func (w *workspace) load(ctx context.Context, o *options) (*load.Loaded, error) {
	opts := load.Options{Adapters: all.Adapters()}
	if w.manifest.File == "" {
		m, err := load.Discover(ctx, w.tree, opts, w.below)
		if err != nil {
			return nil, notChecked("%w", err)
		}
		w.manifest = *m
		w.below = ""
	}
	if !o.noCache {
		opts.Cache = o.openCache()
	}
	progress := o.progress("reading")
	opts.Progress = progress.set
	l, err := load.Load(ctx, w.tree, &w.manifest, opts)
	progress.done()
	var pattern *load.PatternError
	switch {
	case errors.As(err, &pattern):
		return nil, usage("%s: %w", w.manifest.File, err)
	case err != nil:
		return nil, notChecked("reading the copies: %w", err)
	}
	return l, nil
}

// source returns the text of a place's file, for positions and source lines. It keeps the last file, since places come
// file by file.
func (w *workspace) source() func(schema.Place) ([]byte, bool) {
	var name string
	var text []byte
	return func(p schema.Place) ([]byte, bool) {
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

// checkNames refuses rules and pools on the command line that do not exist.
func (o *options) checkNames(list []rules.Rule) error {
	known := rules.Known(list)
	for _, name := range o.rules {
		if !known(name) {
			return usage("--rule %s: no such rule; poolproof rules lists them", name)
		}
	}
	return nil
}
