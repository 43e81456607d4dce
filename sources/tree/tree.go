// Package tree gives every origin of files (the working tree, the git index, a revision, another repository) as one
// read-only file system with a revision. No path leaves the root, only regular files are read, and size is bounded.
package tree

import (
	"bytes"
	"errors"
	"io/fs"
)

// MaxFile is the size in bytes above which a file is not read. Configuration and documents are far below it.
const MaxFile = 32 << 20

// MaxParts is the number of lines, and of list entries and table cells, above which a file is not read: what is made of
// a file in memory grows with these, not with its bytes.
const MaxParts = 1_000_000

// Errors that callers tell apart. They come wrapped, with the path.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrOutside    = errors.New("leads out of the root")
	ErrTooLarge   = errors.New("larger than 32 MiB")
	ErrTooMany    = errors.New("more than 1,000,000 lines or list entries")
)

// Entry is one file of a tree.
type Entry struct {
	// Path is relative to the root, with '/'.
	Path string
	// Err says why the entry cannot be read (a pipe, a link out of the root); nil for readable files.
	Err error
	// ID names the bytes of the file, if the tree knows a name without reading them: equal ones are equal bytes.
	ID string
	// Folder: the entry is a folder that could not be read, with Err: the files below it are not listed. Apart: it is that
	// of another repository, a submodule.
	Folder, Apart bool
}

// Tree is a read-only set of files. Implementations are safe for concurrent use.
type Tree interface {
	// Revision names what is read: "" for the working tree, else a commit.
	Revision() string
	// List returns the files below dir ("." for all) in byte order of their paths. Links are followed inside the root;
	// a folder that is reached again through its own link is listed once. An unreadable folder is an entry with Err.
	// skip, which may be nil, leaves out folders by path.
	List(dir string, skip func(dir string) bool) ([]Entry, error)
	// Read returns a file's bytes. The error wraps fs.ErrNotExist, ErrNotRegular, ErrOutside, ErrTooLarge or
	// ErrTooMany.
	Read(path string) ([]byte, error)
}

// Valid reports whether a path from a manifest or command line can be inside a tree.
func Valid(path string) bool { return fs.ValidPath(path) }

// Crowded reports whether a file has more than MaxParts parts.
func Crowded(data []byte) bool {
	if len(data) <= MaxParts {
		return false
	}
	if bytes.Count(data, []byte("\n")) > MaxParts {
		return true
	}
	parts := 0
	for _, c := range []byte(",{[|") {
		parts += bytes.Count(data, []byte{c})
	}
	return parts > MaxParts
}
