package git

import (
	"fmt"
	"io/fs"

	"github.com/poolproof/poolproof/sources/tree"
)

// Nothing is a tree without files: what stands before the first commit.
type Nothing struct{}

// Empty returns the tree without files.
func Empty() Nothing { return Nothing{} }

// Revision is empty: it is no commit.
func (Nothing) Revision() string { return "" }

// List returns no files, and for a folder other than the root that there is none.
func (Nothing) List(dir string, _ func(string) bool) ([]tree.Entry, error) {
	if dir == "." {
		return nil, nil
	}
	return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
}

// Read finds no file.
func (Nothing) Read(path string) ([]byte, error) {
	return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
}

// ID finds no file.
func (Nothing) ID(string) (string, bool) { return "", false }
