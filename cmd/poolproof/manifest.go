package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// findManifest looks in dir, and above it up to the root of its git repository. Something that has a manifest's name
// and cannot be read is found as well: it must not look as if there were none.
func findManifest(dir string) (root, name string) {
	top := repository(dir)
	for at := dir; ; at = filepath.Dir(at) {
		for _, n := range manifest.Names() {
			if _, err := os.Lstat(filepath.Join(at, n)); err == nil {
				return at, n
			}
		}
		if top == "" || at == top || at == filepath.Dir(at) {
			return dir, ""
		}
	}
}

// readManifest reads the manifest of a workspace. A manifest that names no readable source is wrong usage; what else is
// wrong in it becomes findings.
func (o *options) readManifest(w *workspace, file string) error {
	data, err := readNamed(file, o.manifest != "")
	if err != nil {
		return usage("reading the manifest: %w", err)
	}
	name, ok := inside(w.root, file)
	if !ok {
		if name, err = filepath.Rel(w.root, file); err != nil {
			name = file
		}
		name = filepath.ToSlash(name)
	}
	w.manifest, w.problems = manifest.Load(name, data)
	w.manifest.File, w.manifestText = name, data
	w.problems = append(w.problems, unknownNames(&w.manifest)...)
	if unusable(w) {
		return &exitError{exitUsage, o.manifestError(w)}
	}
	for _, other := range manifest.Names() {
		if p := filepath.Join(filepath.Dir(file), other); o.manifest == "" && p != file {
			if _, err := os.Lstat(p); err == nil {
				w.notes = append(w.notes, schema.Textf("%s is not read, because %s counts", "未读取 %s，以 %s 为准", other, filepath.Base(file)))
			}
		}
	}
	return nil
}

// readNamed reads a manifest within the bounds that hold for every file. One that the user named may be a link to
// anywhere, one that was found may not lead out of its folder.
func readNamed(file string, named bool) ([]byte, error) {
	if named {
		resolved, err := filepath.EvalSymlinks(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, bare(err))
		}
		file = resolved
	}
	t, err := tree.OpenWork(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Read(filepath.Base(file))
}

// unusable reports whether a manifest is so broken that nothing can be read by it.
func unusable(w *workspace) bool {
	for _, p := range w.problems {
		if p.Rule == "source/syntax" {
			return true
		}
	}
	return len(w.manifest.Sources) == 0
}

// manifestError lists what makes a manifest unusable, one line each.
func (o *options) manifestError(w *workspace) error {
	lang, err := o.language()
	if err != nil {
		return err
	}
	var lines []string
	broken := false
	for _, p := range w.problems {
		broken = broken || p.Rule == "source/syntax"
	}
	const most = 10
	for _, p := range w.problems {
		if broken && p.Rule != "source/syntax" || len(lines) == most {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", w.manifest.File, lineAt(w.manifestText, int(p.At.Start)), p.Text.In(lang)))
	}
	if len(lines) == 0 {
		lines = append(lines, w.manifest.File+": "+schema.Textf("it names no sources", "没有写 sources").In(lang))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// lineAt returns the line, from 1, of a byte of a text.
func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte{'\n'})
}
