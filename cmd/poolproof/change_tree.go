package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/sources/tree"
)

// overlay is a tree in which some files are other than they are committed or staged.
type overlay struct {
	change.Tree
	base    change.Tree
	written map[string][]byte
}

// List implements tree.Tree.
func (t overlay) List(dir string, skip func(dir string) bool) ([]tree.Entry, error) {
	list, err := t.Tree.List(dir, skip)
	if _, own := t.written[dir]; err != nil && !own && !t.holds(dir) {
		return nil, err
	}
	for _, name := range sortedKeys(t.written) {
		if dir != "." && dir != name && !strings.HasPrefix(name, dir+"/") || skipped(name, skip) {
			continue
		}
		at, found := slices.BinarySearchFunc(list, name, func(e tree.Entry, name string) int { return strings.Compare(e.Path, name) })
		if found {
			list[at] = tree.Entry{Path: name}
			continue
		}
		list = slices.Insert(list, at, tree.Entry{Path: name})
	}
	return list, nil
}

// holds reports whether a file is written below a folder.
func (t overlay) holds(dir string) bool {
	for name := range t.written {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// skipped reports whether a folder above a file is left out.
func skipped(name string, skip func(dir string) bool) bool {
	for i, c := range name {
		if c == '/' && skip != nil && skip(name[:i]) {
			return true
		}
	}
	return false
}

// Read implements tree.Tree.
func (t overlay) Read(path string) ([]byte, error) {
	if text, ok := t.written[path]; ok {
		return text, nil
	}
	return t.Tree.Read(path)
}

// ID implements change.Tree. A file that is as it is at one of the ends keeps its name there.
func (t overlay) ID(path string) (string, bool) {
	text, ok := t.written[path]
	if !ok {
		return t.Tree.ID(path)
	}
	for _, other := range []change.Tree{t.Tree, t.base} {
		if id, ok := other.ID(path); ok {
			if data, err := other.Read(path); err == nil && bytes.Equal(data, text) {
				return id, true
			}
		}
	}
	sum := sha256.Sum256(text)
	return "written " + hex.EncodeToString(sum[:]), true
}
