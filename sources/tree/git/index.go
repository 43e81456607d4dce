package git

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// maxIndex is the size in bytes above which an index is not read.
const maxIndex = 512 << 20

// Index returns what is staged below a folder, as git commit would record it: what git add -N announces is not in it.
// A file with an unresolved merge conflict is an entry with a Trouble.
func (r *Repo) Index(prefix string) (*Tree, error) {
	return r.IndexAt(filepath.Join(r.own, "index"), prefix)
}

// IndexAt is Index of an index in another file: git commit with -a or with paths fills one of its own and hands its hooks
// its name (GIT_INDEX_FILE).
func (r *Repo) IndexAt(file, prefix string) (*Tree, error) {
	data, err := odb.ReadSmall(file, maxIndex)
	var staged []stagedEntry
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing was ever staged
	case err == nil:
		staged, err = parseIndex(data)
	}
	switch {
	case errors.Is(err, errSplit):
		return nil, trouble(Unsupported, "git update-index --no-split-index", err, "the index is split; join it", "索引已拆分(split index);请合并")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, trouble(BadIndex, "rm .git/index; git reset -q", err, "the index cannot be read; make it anew (this unstages what is staged)",
			"无法读取索引;请重建(会取消已暂存的内容)")
	}
	top := &folder{}
	open := []*folder{top} // the folders of the last path: entries come in order
	var names []string
	for _, e := range staged {
		if e.announced {
			continue
		}
		parts := strings.Split(e.path, "/")
		if e.mode == Folder { // of a sparse index, with a '/' at its end
			parts = parts[:len(parts)-1]
		}
		same := 0
		for same < len(names) && same < len(parts)-1 && names[same] == parts[same] {
			same++
		}
		names, open = names[:same], open[:same+1]
		for _, name := range parts[same : len(parts)-1] {
			next := &folder{}
			last := open[len(open)-1]
			last.nodes = append(last.nodes, node{name: name, mode: Folder, dir: next})
			names, open = append(names, name), append(open, next)
		}
		n := node{name: parts[len(parts)-1], id: e.id}
		n.mode, n.err = kind(e.mode, e.path)
		last := open[len(open)-1]
		if e.stage != 0 {
			n.err = trouble(Conflict, "git add "+shell(e.path), nil, "%s has an unresolved merge conflict; resolve it and stage it",
				"%s 有未解决的合并冲突;请解决后暂存", quote(e.path))
			if k := len(last.nodes); k > 0 && last.nodes[k-1].name == n.name {
				continue // another stage of the same
			}
		}
		last.nodes = append(last.nodes, n)
	}
	settle(top)
	return r.tree(top, Staged, prefix)
}

// settle sorts the folders of an index.
func settle(f *folder) {
	for _, n := range f.nodes {
		if n.dir != nil {
			settle(n.dir)
		}
	}
	f.settle()
}
