package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"
	"syscall"
)

// Work is the working tree below a folder.
type Work struct {
	root *os.Root
}

// OpenWork opens the folder dir as a root.
func OpenWork(dir string) (*Work, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the root: %w", err)
	}
	return &Work{root}, nil
}

// Close releases the root.
func (w *Work) Close() error { return w.root.Close() }

// Revision is empty: the working tree has none.
func (w *Work) Revision() string { return "" }

// maxDepth bounds how deep folders are followed.
const maxDepth = 64

// maxLinks bounds how many linked folders one listing follows: links can fan out without ever forming a loop.
const maxLinks = 1000

// List implements Tree.
func (w *Work) List(dir string, skip func(string) bool) ([]Entry, error) {
	info, err := w.root.Stat(dir)
	if err != nil {
		return nil, explain(dir, err)
	}
	if !info.IsDir() {
		return []Entry{{Path: dir}}, nil
	}
	l := lister{root: w.root, skip: skip}
	l.folder(dir, []os.FileInfo{info})
	sort.Slice(l.entries, func(i, j int) bool { return l.entries[i].Path < l.entries[j].Path })
	return l.entries, nil
}

type lister struct {
	root    *os.Root
	skip    func(string) bool
	entries []Entry
	links   int
}

// folder lists dir; chain holds the folders on the way to it, so that a link to one of them is not followed again.
func (l *lister) folder(dir string, chain []os.FileInfo) {
	f, err := l.root.Open(dir)
	if err != nil {
		l.entries = append(l.entries, Entry{Path: dir, Err: explain(dir, err), Folder: true})
		return
	}
	list, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		l.entries = append(l.entries, Entry{Path: dir, Err: explain(dir, err), Folder: true})
		return
	}
	for _, d := range list {
		p := path.Join(dir, d.Name())
		mode := d.Type()
		switch {
		case mode.IsRegular():
			l.entries = append(l.entries, Entry{Path: p})
			continue
		case !mode.IsDir() && mode&fs.ModeSymlink == 0:
			l.entries = append(l.entries, Entry{Path: p, Err: fmt.Errorf("%s: %w", p, ErrNotRegular)})
			continue
		}
		info, err := l.root.Stat(p)
		switch {
		case err != nil:
			l.entries = append(l.entries, Entry{Path: p, Err: explain(p, err)})
		case info.IsDir():
			if l.skip != nil && l.skip(p) || len(chain) >= maxDepth || seen(chain, info) {
				continue
			}
			if mode&fs.ModeSymlink != 0 {
				if l.links++; l.links > maxLinks {
					continue
				}
			}
			l.folder(p, append(chain[:len(chain):len(chain)], info))
		case info.Mode().IsRegular():
			l.entries = append(l.entries, Entry{Path: p})
		default:
			l.entries = append(l.entries, Entry{Path: p, Err: fmt.Errorf("%s: %w", p, ErrNotRegular)})
		}
	}
}

func seen(chain []os.FileInfo, info os.FileInfo) bool {
	for _, c := range chain {
		if os.SameFile(c, info) {
			return true
		}
	}
	return false
}

// Read implements Tree. The file is opened without blocking, so that a pipe put in its place cannot hang the run.
func (w *Work) Read(p string) ([]byte, error) {
	f, err := w.root.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, explain(p, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, explain(p, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", p, ErrNotRegular)
	case info.Size() > MaxFile:
		return nil, fmt.Errorf("%s: %w", p, ErrTooLarge)
	}
	buf := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	// Files under /proc and files that grow have no true size, so the bound is held while reading too.
	if n, err := buf.ReadFrom(io.LimitReader(f, MaxFile+1)); err != nil {
		return nil, explain(p, err)
	} else if n > MaxFile {
		return nil, fmt.Errorf("%s: %w", p, ErrTooLarge)
	}
	if Crowded(buf.Bytes()) {
		return nil, fmt.Errorf("%s: %w", p, ErrTooMany)
	}
	return buf.Bytes(), nil
}

// explain keeps the causes that callers tell apart and drops the rest of os.Root's wrapping.
func explain(p string, err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", p, err)
	}
	if strings.Contains(pe.Err.Error(), "escapes from parent") {
		return fmt.Errorf("%s: %w", p, ErrOutside)
	}
	return fmt.Errorf("%s: %w", p, pe.Err)
}
