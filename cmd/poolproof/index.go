package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/sources/cache"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// indexRecord is where the index is kept of the trees of a root that a manifest describes (change.Described); nil where there
// is no folder for it.
func indexRecord(root, manifest string) *cache.Record {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return cache.OpenRecord(filepath.Join(folder, "poolproof"), build(), strings.Join([]string{"index", root, manifest}, "\x00"))
}

// wantsIndex returns where a run over the whole working tree keeps an index for ci and check --staged: in a repository that
// has none yet. Later changes bring it up to date themselves.
func (w *workspace) wantsIndex(o *options) *cache.Record {
	if o.noCache || w.manifest.File == "" || repository(w.root) == "" {
		return nil
	}
	r := indexRecord(w.root, change.Described(&w.manifest))
	if r == nil {
		return nil
	}
	if _, ok := r.Get(); ok {
		return nil
	}
	return r
}

// remember keeps the index of what was read.
func (w *workspace) remember(o *options, r *cache.Record, l *load.Loaded) {
	if r == nil {
		return
	}
	ids := make(map[string]string, len(l.Files))
	for _, f := range l.Files {
		ids[f.Path] = f.ID()
	}
	err := change.Remember(r, l, &w.manifest, func(p string) (string, bool) {
		id := ids[p]
		if id == "" {
			if data, err := w.tree.Read(p); err == nil {
				id = blobName(data)
			}
		}
		return id, id != ""
	})
	if err != nil {
		o.note("the index is not kept: %v", err)
	}
}

// blobName is the name that git gives to content.
func blobName(data []byte) string { return odb.Name(odb.Blob, data).String() }
