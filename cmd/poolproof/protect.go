package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
)

// protect refuses reports that would be written over the manifest or over a file that the run reads: one slip of the
// hand must not cost a configuration. It needs the manifest, and reads no source.
func (o *options) protect(w *workspace) error {
	written := o.written()
	if len(written) == 0 {
		return nil
	}
	if _, plain := w.tree.(single); plain {
		return nil
	}
	if file := w.manifest.File; file != "" {
		for _, t := range written {
			if t.is(w.local(file)) {
				return usage("%s is the manifest: reports are not written over it", t.name)
			}
		}
	}
	if written = slices.DeleteFunc(written, func(t writtenFile) bool { return !t.within(w.root) }); len(written) == 0 {
		return nil // nothing outside the root is read
	}
	l, err := load.List(w.tree, &w.manifest, load.Options{Adapters: all.Adapters()})
	if err != nil {
		return nil // whoever reads the sources says what is wrong
	}
	for _, f := range l.Files {
		for _, t := range written {
			if t.is(w.local(f.Path)) && !isReport(t.name) {
				return usage("%s is one of the files that are checked: reports are not written over it", t.name)
			}
		}
	}
	return nil
}

// local is the path of a file of the tree on this machine.
func (w *workspace) local(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(w.root, filepath.FromSlash(file))
}

// writtenFile is an existing regular file that a report replaces.
type writtenFile struct {
	name string
	info os.FileInfo
}

func (t *writtenFile) is(file string) bool {
	info, err := os.Stat(file)
	return err == nil && os.SameFile(info, t.info)
}

func (t *writtenFile) within(root string) bool {
	file, err := filepath.Abs(t.name)
	if err != nil {
		return true
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return true
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return true
	}
	_, ok := inside(root, file)
	return ok
}

// written lists the existing regular files that --output and --report name.
func (o *options) written() []writtenFile {
	list, err := o.outputs()
	if err != nil { // a command of its own formats takes --output alone
		list = []target{{file: o.outputFile()}}
	}
	var out []writtenFile
	for _, t := range list {
		if t.file == "" || openAlready(t.file) {
			continue
		}
		if info, err := os.Stat(t.file); err == nil && info.Mode().IsRegular() {
			out = append(out, writtenFile{t.file, info})
		}
	}
	return out
}

// isReport reports whether a file starts like a report of an earlier run. Found among documents, it may be written anew.
func isReport(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return false
	}
	return len(head) == 0 || bytes.HasPrefix(head, []byte("## poolproof ")) || bytes.HasPrefix(head, []byte("<!-- poolproof:ci -->")) || bytes.HasPrefix(head, []byte(`{"schema":"poolproof/v1"`))
}
