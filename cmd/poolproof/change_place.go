package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ownPlace refuses a place for an order that the repository chose, by its manifest or a link, and that is not among its files.
func (w *orderDraft) ownPlace(path string) error {
	if slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool { return strings.EqualFold(name, ".git") }) {
		return notChecked("%s is no place for a change order; name one with --output FILE", path)
	}
	root, err := filepath.EvalSymlinks(w.root)
	if err != nil {
		return notChecked("%w", err)
	}
	at := w.root
	for name := range strings.SplitSeq(path, "/") {
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return notChecked("%w", err)
		case info.Mode()&fs.ModeSymlink == 0:
			continue
		}
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			rel, in := inside(root, real)
			if in && !slices.Contains(strings.Split(rel, "/"), ".git") {
				continue
			}
		}
		return notChecked("%s is a link that does not lead to a file of the repository; name another file with --output FILE", at)
	}
	return nil
}
