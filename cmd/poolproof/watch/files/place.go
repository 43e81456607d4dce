package files

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// The bounds of how far links and folders are followed: those of the tree that reads them.
const (
	maxDepth = 64
	maxLinks = 1000
)

// place is what is watched: folders by the paths that the tree gives them, and where they really are.
type place struct {
	*Watcher
	real     string // of the root; empty where there is none
	folders  map[string]*folder
	byReal   map[string][]string // real folder: paths
	links    map[string][]string // what links lead over: paths
	watched  map[string]bool     // real folders
	manifest map[string]bool     // what manifests lead over, themselves included
	followed int
}

// folder is one watched folder.
type folder struct {
	real        string
	files, subs []string // names of what is wanted
}

func newPlace(w *Watcher) *place {
	return &place{Watcher: w, folders: map[string]*folder{}, byReal: map[string][]string{}, links: map[string][]string{}, watched: map[string]bool{}, manifest: map[string]bool{}}
}

// all watches everything. The error says that the system watches no more.
func (p *place) all() error {
	for _, m := range p.o.Manifests {
		_, steps, _ := follow(filepath.Dir(m), filepath.Base(m), "")
		for _, at := range steps {
			p.manifest[at] = true
			if err := p.watch(filepath.Dir(at)); err != nil {
				return err
			}
		}
	}
	real, err := filepath.EvalSymlinks(p.o.Root)
	if err != nil {
		return nil // the root is gone; it may come back
	}
	p.real = real
	info, err := os.Stat(real)
	if err != nil {
		return nil
	}
	return p.walk(".", real, []os.FileInfo{info})
}

// watch watches a real folder. A folder that is not there or not readable is no error: whoever reads the tree says so.
func (p *place) watch(real string) error {
	if p.watched[real] {
		return nil
	}
	switch err := p.o.Add(p.notify, real); {
	case err == nil:
		p.watched[real] = true
	case refused(err):
		return err
	}
	return nil
}

func (p *place) unwatch(real string) {
	if p.watched[real] {
		delete(p.watched, real)
		_ = p.notify.Remove(real)
	}
}

func (w *Watcher) wants(name string) bool { return w.o.Patterns.Wants(name) || w.also[name] }

// walk watches a folder and those below it. It watches first and lists then, so that nothing falls between the two.
func (p *place) walk(dir, real string, chain []os.FileInfo) error {
	if err := p.watch(real); err != nil {
		return err
	}
	f := &folder{real: real}
	p.folders[dir] = f
	p.byReal[real] = append(p.byReal[real], dir)
	list, err := os.ReadDir(real)
	if err != nil {
		return nil
	}
	for _, e := range list {
		if err := p.entry(f, path.Join(dir, e.Name()), e.Type(), chain); err != nil {
			return err
		}
	}
	return nil
}

// entry takes in one name of a folder.
func (p *place) entry(f *folder, name string, mode fs.FileMode, chain []os.FileInfo) error {
	real := filepath.Join(f.real, path.Base(name))
	if mode&fs.ModeSymlink != 0 && (p.o.Patterns.Reaches(name) || p.wants(name)) {
		target, steps, ok := follow(f.real, path.Base(name), p.real)
		for _, at := range steps {
			if !slices.Contains(p.links[at], name) {
				p.links[at] = append(p.links[at], name)
			}
			if err := p.watch(filepath.Dir(at)); err != nil {
				return err
			}
		}
		info, err := os.Lstat(target)
		if !ok || err != nil { // that it leads nowhere, or out of the root, is worth a word too
			if p.wants(name) {
				f.files = append(f.files, path.Base(name))
				p.path(name)
			}
			return nil
		}
		if p.followed++; p.followed > maxLinks && info.IsDir() {
			return nil
		}
		real, mode = target, info.Mode()
	}
	switch {
	case mode.IsDir():
		if !p.o.Patterns.Reaches(name) || len(chain) >= maxDepth {
			return nil
		}
		info, err := os.Stat(real)
		if err != nil || slices.ContainsFunc(chain, func(c os.FileInfo) bool { return os.SameFile(c, info) }) {
			return nil
		}
		f.subs = append(f.subs, path.Base(name))
		return p.walk(name, real, append(chain[:len(chain):len(chain)], info))
	case p.wants(name):
		f.files = append(f.files, path.Base(name))
		p.path(name)
	}
	return nil
}

// drop forgets a folder; all that was wanted in it has changed.
func (p *place) drop(dir string) {
	f := p.folders[dir]
	if f == nil {
		return
	}
	for _, name := range f.subs {
		p.drop(path.Join(dir, name))
	}
	for _, name := range f.files {
		p.path(path.Join(dir, name))
	}
	delete(p.folders, dir)
	if list := slices.DeleteFunc(p.byReal[f.real], func(d string) bool { return d == dir }); len(list) > 0 {
		p.byReal[f.real] = list
	} else {
		delete(p.byReal, f.real)
		p.unwatch(f.real)
	}
}

// event takes in one event.
func (w *Watcher) event(e fsnotify.Event) {
	p := w.current
	if e.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
		p.unwatch(e.Name) // whatever stands there next is another folder
	}
	if e.Name == p.real && e.Op.Has(fsnotify.Chmod) { // everything may be readable now, or nothing
		w.begin()
		w.note(Change{All: true, Manifest: true})
		return
	}
	if p.manifest[e.Name] {
		w.note(Change{Manifest: true})
	}
	var names []string
	for _, dir := range p.byReal[filepath.Dir(e.Name)] {
		names = append(names, path.Join(dir, filepath.Base(e.Name)))
	}
	names = append(names, p.links[e.Name]...)
	for _, name := range names {
		if e.Op&^(fsnotify.Write|fsnotify.Chmod) == 0 && p.folders[name] == nil {
			if w.wants(name) {
				w.path(name)
			}
			continue
		}
		if err := p.again(name); err != nil {
			w.poll(err)
			w.note(Change{All: true})
			return
		}
	}
	if p.manifest[e.Name] && e.Op&^(fsnotify.Write|fsnotify.Chmod) != 0 {
		for _, m := range w.o.Manifests { // a link may lead elsewhere now
			_, steps, _ := follow(filepath.Dir(m), filepath.Base(m), "")
			for _, at := range steps {
				if !p.manifest[at] {
					p.manifest[at] = true
					_ = p.watch(filepath.Dir(at))
				}
			}
		}
	}
	if len(names) > 0 {
		w.publish()
	}
}

// again looks at one name again.
func (p *place) again(name string) error {
	dir := path.Dir(name)
	f := p.folders[dir]
	if f == nil {
		return nil
	}
	base := path.Base(name)
	known := slices.Contains(f.files, base)
	p.drop(name)
	f.subs = slices.DeleteFunc(f.subs, func(s string) bool { return s == base })
	f.files = slices.DeleteFunc(f.files, func(s string) bool { return s == base })
	if known {
		p.path(name)
	}
	info, err := os.Lstat(filepath.Join(f.real, base))
	if err != nil {
		return nil
	}
	var chain []os.FileInfo
	for at := dir; !info.Mode().IsRegular(); at = path.Dir(at) {
		if up := p.folders[at]; up != nil {
			if i, err := os.Stat(up.real); err == nil {
				chain = append(chain, i)
			}
		}
		if at == "." {
			break
		}
	}
	return p.entry(f, name, info.Mode(), chain)
}

// follow resolves a name in a real folder. steps are what it leads over, up to the end or what is missing. It is not ok
// where the name leads nowhere, or out of a folder, unless that is empty.
func follow(dir, name, within string) (real string, steps []string, ok bool) {
	rest := []string{name}
	at := dir
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at = filepath.Dir(at); within != "" && at != within && !strings.HasPrefix(at, within+"/") {
				return "", steps, false
			}
			continue
		}
		here := filepath.Join(at, part)
		steps = append(steps, here)
		info, err := os.Lstat(here)
		if err != nil {
			return "", steps, false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = here
			continue
		}
		target, err := os.Readlink(here)
		if links++; err != nil || links > 40 || filepath.IsAbs(target) && within != "" {
			return "", steps, false
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	return at, steps, true
}
