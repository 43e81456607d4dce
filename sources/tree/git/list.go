package git

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/sources/tree"
)

const (
	// maxDepth bounds how deep folders are followed, and maxFolderLinks how many links to folders one listing follows, as
	// in the working tree.
	maxDepth       = 64
	maxFolderLinks = 1000
	// maxEntries bounds how many entries one listing or comparison looks at: a few objects can make a tree of billions.
	maxEntries = 2_000_000
)

func endless() error {
	return trouble(BadTree, "", nil, "there are more than %d files", "文件超过 %d 个", maxEntries)
}

// List implements tree.Tree. A submodule whose repository is not here is an entry with a Trouble.
func (t *Tree) List(dir string, skip func(string) bool) ([]tree.Entry, error) {
	way, leaf, err := t.walk(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if leaf != nil {
		return []tree.Entry{{Path: dir, ID: leaf.id.String()}}, nil
	}
	l := lister{tree: t, skip: skip, left: maxEntries}
	l.folder(path.Clean(dir), way)
	if l.left < 0 {
		return nil, fmt.Errorf("%s: %w", dir, endless())
	}
	sort.SliceStable(l.entries, func(i, j int) bool { return l.entries[i].Path < l.entries[j].Path })
	return l.entries, nil
}

type lister struct {
	tree    *Tree
	skip    func(string) bool
	entries []tree.Entry
	links   int
	left    int      // how many entries may still be looked at
	chain   []string // the true places of the folders on the way, so that none is listed again below itself
}

// fail lists what cannot be read. It keeps its name, so that a change of it is seen.
func (l *lister) fail(p string, n node, err error) {
	e := tree.Entry{Path: p, Err: fmt.Errorf("%s: %w", p, err), Folder: n.mode == Folder || n.mode == Module, Apart: n.mode == Module}
	if n.id != (Hash{}) {
		e.ID = n.id.String()
	}
	l.entries = append(l.entries, e)
}

// join puts a name behind a folder's path. The names of nodes need no cleaning.
func join(dir, name string) string {
	if dir == "." || dir == "" {
		return name
	}
	return dir + "/" + name
}

// place is where a folder truly is, without links.
func place(way []spot) string {
	names := make([]string, len(way))
	for i, s := range way[1:] {
		names[i] = s.name
	}
	return strings.Join(names, "/")
}

// folder lists dir, which the folders of way lead to.
func (l *lister) folder(dir string, way []spot) {
	where := place(way)
	if slices.Contains(l.chain, where) {
		return
	}
	l.chain = append(l.chain, where)
	defer func() { l.chain = l.chain[:len(l.chain)-1] }()
	here := way[len(way)-1]
	if here.err != nil {
		l.fail(dir, node{mode: Folder}, here.err)
	}
	for _, n := range here.nodes {
		if l.left--; l.left < 0 {
			return
		}
		p := join(dir, n.name)
		switch {
		case n.err != nil:
			l.fail(p, n, n.err)
		case n.mode == Link:
			l.link(p, way, n)
		case n.mode == Folder || n.mode == Module:
			if l.skip != nil && l.skip(p) || len(l.chain) >= maxDepth {
				continue
			}
			next, err := here.open(n)
			if err != nil {
				l.fail(p, n, err)
				continue
			}
			l.folder(p, append(way[:len(way):len(way)], next))
		default:
			l.entries = append(l.entries, tree.Entry{Path: p, ID: n.id.String()})
		}
	}
}

// link lists what a link in the last folder of way leads to.
func (l *lister) link(p string, way []spot, n node) {
	to, leaf, err := l.tree.walk(join(place(way), n.name))
	switch {
	case err != nil:
		l.fail(p, n, err)
		return
	case leaf != nil:
		l.entries = append(l.entries, tree.Entry{Path: p, ID: leaf.id.String()})
		return
	case l.skip != nil && l.skip(p) || len(l.chain) >= maxDepth || slices.Contains(l.chain, place(to)):
		return
	}
	if l.links++; l.links <= maxFolderLinks {
		l.folder(p, to)
	}
}
