package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/daemon"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
)

// watchedTree opens what is watched, again and again.
type watchedTree struct {
	o    *options
	path string
	root string // of the first time
}

func (t *watchedTree) open(ctx context.Context) (*daemon.Subject, error) {
	w, err := t.o.openWorkspace(t.path)
	if err != nil {
		return nil, t.why(err)
	}
	opts := load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer)}
	if w.manifest.File == "" {
		m, err := load.Discover(ctx, w.tree, opts, w.below)
		if err != nil {
			w.close()
			return nil, notChecked("looking for known formats: %w", err)
		}
		w.manifest = *m
	}
	if t.root == "" {
		t.root = w.root
	}
	return &daemon.Subject{Root: w.root, Tree: w.tree, Manifest: &w.manifest, Text: w.manifestText, Problems: w.problems, Manifests: t.manifests(w.root), Load: opts, Close: w.close}, nil
}

// manifests are the files that are or could become the manifest.
func (t *watchedTree) manifests(root string) []string {
	if t.o.manifest != "" {
		if abs, err := filepath.Abs(t.o.manifest); err == nil {
			return []string{abs}
		}
	}
	var list []string
	for _, name := range manifest.Names() {
		list = append(list, filepath.Join(root, name))
	}
	return list
}

// why tells a manifest that cannot be used from a root that is not there.
func (t *watchedTree) why(err error) error {
	if t.root == "" {
		return err
	}
	if _, gone := os.Stat(t.root); gone != nil {
		return err
	}
	for _, file := range t.manifests(t.root) {
		if _, there := os.Lstat(file); there != nil {
			continue
		}
		name, ok := inside(t.root, file)
		if !ok {
			name = file
		}
		bad := &daemon.BadManifest{File: name, Err: errors.New(inWords(err, "en"))}
		if text, unread := readNamed(file, t.o.manifest != ""); unread == nil {
			bad.Text = text
			_, bad.Problems = manifest.Load(name, text)
		}
		return bad
	}
	return &daemon.BadManifest{File: filepath.Base(t.manifests(t.root)[0]), Err: err}
}

// stateFolder is where the state of a root is kept unless the command line says where.
func (o *options) stateFolder(root string) (string, error) {
	base := o.env.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(home, ".local", "state")
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(base, "poolproof", hex.EncodeToString(sum[:8])), nil
}
