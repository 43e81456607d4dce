package files

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stamp is what tells two states of a file apart without reading it.
type stamp struct {
	size int64
	at   int64 // time of modification, in ns
	mode os.FileMode
}

// look looks at all files that are wanted, and notes those that are not as they were.
func (w *Watcher) look() {
	start := time.Now()
	seen := map[string]stamp{}
	var manifests Change
	if root, err := os.Stat(w.o.Root); err == nil {
		w.list(".", []os.FileInfo{root}, seen)
	}
	for _, m := range w.o.Manifests {
		if info, err := os.Stat(m); err == nil {
			seen["\x00"+m] = stampOf(info)
		}
	}
	c := Change{Paths: map[string]bool{}}
	changed := func(name string) {
		if name[0] == 0 {
			manifests.Manifest = true
		} else {
			c.Paths[name] = true
		}
	}
	for name, s := range seen {
		if old, ok := w.stamps[name]; !ok || old != s {
			changed(name)
		}
	}
	for name := range w.stamps {
		if _, ok := seen[name]; !ok {
			changed(name)
		}
	}
	if w.stamps != nil { // the first look only remembers
		c.Merge(manifests)
		w.note(c)
	}
	w.stamps = seen
	w.nextPoll = start.Add(max(w.o.Poll, 20*time.Since(start)))
}

func stampOf(info os.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

func (w *Watcher) list(dir string, chain []os.FileInfo, seen map[string]stamp) {
	entries, err := os.ReadDir(filepath.Join(w.o.Root, filepath.FromSlash(dir)))
	if err != nil {
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		file := e.Type().IsRegular()
		if file && !w.wants(name) || !file && !w.o.Patterns.Reaches(name) && !w.wants(name) {
			continue
		}
		at := filepath.Join(w.o.Root, filepath.FromSlash(name))
		info, err := os.Stat(at)
		switch {
		case err != nil || e.Type()&os.ModeSymlink != 0 && !w.inside(at): // leads nowhere, or out of the root
			if link, err := os.Lstat(at); err == nil && w.wants(name) {
				seen[name] = stampOf(link)
			}
		case !info.IsDir():
			if w.wants(name) {
				seen[name] = stampOf(info)
			}
		case len(chain) < maxDepth && w.o.Patterns.Reaches(name) && !slices.ContainsFunc(chain, func(c os.FileInfo) bool { return os.SameFile(c, info) }):
			w.list(name, append(chain[:len(chain):len(chain)], info), seen)
		}
	}
}

// inside reports whether a path leads into the root.
func (w *Watcher) inside(at string) bool {
	root, err := filepath.EvalSymlinks(w.o.Root)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(at)
	return err == nil && strings.HasPrefix(real, root+string(filepath.Separator))
}
