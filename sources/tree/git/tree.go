package git

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/poolproof/poolproof/sources/tree"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

// Staged is the revision that the index goes by.
const Staged = "index"

const (
	// maxLinks is how many symbolic links one path may lead through, as on Linux.
	maxLinks = 40
	// maxTarget is the size in bytes above which a link is none.
	maxTarget = 4096
	// maxPath bounds the elements that are left to follow.
	maxPath = 10_000
)

// Tree is a folder of a commit or of the index as a tree.Tree, safe for concurrent use. Files are read as they stand in
// git: no line ending is converted and no filter applied, whatever .gitattributes says, so a tree is to be compared with
// trees, not with files of the work tree. Only a file that Git LFS keeps is looked up among what it has fetched.
//
// Links are followed as the working tree does: inside the root, and through submodules whose repository is here.
type Tree struct {
	repo     *Repo
	revision string
	root     spot
}

var _ tree.Tree = (*Tree)(nil)

// spot is a folder that a path leads through.
type spot struct {
	name string
	repo *Repo // the submodule's, inside one
	full string
	top  *folder // the root of repo, which holds .gitmodules
	*folder
}

// Tree returns a commit's files below a folder of the repository, "." for all. A folder that the commit does not have is
// an empty tree.
func (r *Repo) Tree(c Commit, prefix string) (*Tree, error) {
	read, err := r.commit(c.ID)
	if err != nil {
		return nil, err
	}
	top, err := r.folder(read.tree)
	if err != nil {
		return nil, err
	}
	return r.tree(top, c.String(), prefix)
}

// tree roots a tree in a folder below top.
func (r *Repo) tree(top *folder, revision, prefix string) (*Tree, error) {
	t := &Tree{repo: r, revision: revision, root: spot{repo: r, full: ".", top: top, folder: top}}
	if path.Clean(prefix) == "." {
		return t, nil
	}
	way, leaf, err := t.walk(prefix)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.root.folder = &folder{}
	case err != nil:
		return nil, err
	case leaf != nil:
		return nil, fmt.Errorf("%s: a file where a folder is wanted: %w", prefix, tree.ErrNotRegular)
	default:
		t.root = way[len(way)-1]
	}
	return t, nil
}

// Revision is the commit's full name, or Staged.
func (t *Tree) Revision() string { return t.revision }

// open reads the folder or submodule behind an entry of the folder s.
func (s spot) open(n node) (spot, error) {
	next := spot{name: n.name, repo: s.repo, full: join(s.full, n.name), top: s.top, folder: n.dir}
	var err error
	switch {
	case n.mode == Module:
		next.repo, next.folder, err = s.module(n)
		next.top, next.full = next.folder, "."
	case next.folder == nil:
		next.folder, err = s.repo.folder(n.id)
	}
	return next, err
}

// walk follows a path, and the links on it, from the root. It returns the folders on the way with the one that the last
// file is in, and that file; leaf is nil where the path leads to a folder.
func (t *Tree) walk(p string) (way []spot, leaf *node, err error) {
	if strings.HasPrefix(p, "/") {
		return nil, nil, tree.ErrOutside
	}
	way = []spot{t.root}
	links := 0
	for rest := strings.Split(p, "/"); len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		if name == ".." {
			if len(way) == 1 {
				return nil, nil, tree.ErrOutside
			}
			way = way[:len(way)-1]
			continue
		}
		here := way[len(way)-1]
		n, ok := here.find(name)
		switch {
		case !ok:
			return nil, nil, fs.ErrNotExist
		case n.err != nil:
			return nil, nil, n.err
		}
		switch n.mode {
		case Folder, Module:
			next, err := here.open(n)
			if err != nil {
				return nil, nil, err
			}
			way = append(way, next)
		case Link:
			target, err := here.repo.target(n)
			if err != nil {
				return nil, nil, err
			}
			if links++; links > maxLinks || len(rest) > maxPath {
				return nil, nil, fmt.Errorf("symbolic links without end: %w", tree.ErrNotRegular)
			}
			rest = append(strings.Split(target, "/"), rest...)
		default:
			if len(rest) > 0 {
				return nil, nil, fs.ErrNotExist
			}
			return way, &n, nil
		}
	}
	return way, nil, nil
}

// target is where a link leads. Absolute targets lead out of the root.
func (r *Repo) target(n node) (string, error) {
	_, data, err := r.objects.Read(n.id, maxTarget)
	switch {
	case errors.Is(err, odb.ErrTooLarge):
		return "", fmt.Errorf("a symbolic link of more than %d bytes: %w", maxTarget, tree.ErrNotRegular)
	case err != nil:
		return "", r.object(n.id, err)
	case len(data) == 0:
		return "", fs.ErrNotExist
	case data[0] == '/':
		return "", tree.ErrOutside
	}
	return string(data), nil
}

// ID is the name of the object that Read would return, in hex, without reading it: equal names mean equal files, at any
// time and in any repository. For a file that Git LFS keeps it is the name of what stands for it.
func (t *Tree) ID(p string) (string, bool) {
	_, leaf, err := t.walk(p)
	if err != nil || leaf == nil {
		return "", false
	}
	return leaf.id.String(), true
}

// Read implements tree.Tree. Beside the errors named there, it wraps ErrPointer where Git LFS has not fetched the file,
// and is a Trouble where git could not read it.
func (t *Tree) Read(p string) ([]byte, error) {
	data, err := t.read(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return data, nil
}

func (t *Tree) read(p string) ([]byte, error) {
	way, leaf, err := t.walk(p)
	switch {
	case err != nil:
		return nil, err
	case leaf == nil:
		return nil, tree.ErrNotRegular
	}
	repo := way[len(way)-1].repo
	typ, data, err := repo.objects.Read(leaf.id, tree.MaxFile)
	switch {
	case errors.Is(err, odb.ErrTooLarge):
		return nil, tree.ErrTooLarge
	case err != nil:
		return nil, repo.object(leaf.id, err)
	case typ != odb.Blob:
		return nil, repo.object(leaf.id, odb.ErrCorrupt)
	}
	if oid, size, ok := tree.Pointer(data); ok {
		if data, err = repo.large(oid, size, t.revision); err != nil {
			return nil, err
		}
	}
	if tree.Crowded(data) {
		return nil, tree.ErrTooMany
	}
	return data, nil
}
