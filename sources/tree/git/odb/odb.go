// Package odb reads the object database of a git repository: loose objects, packs and alternates. It only reads, is safe
// for concurrent use without a lock around reads, and is made for repositories that nobody vouches for: sizes are known
// before anything is unpacked, chains of deltas are bounded, and an object is given out only when its bytes have the
// name it was asked by, so that results may be kept under that name.
//
// Replace refs and grafts are not followed: they let one object stand for another, which evidence must not.
package odb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
)

// Errors that callers tell apart. They come wrapped, with the object's name.
var (
	ErrMissing  = errors.New("object is not here")
	ErrCorrupt  = errors.New("object is damaged")
	ErrTooLarge = errors.New("object is too large")
)

// Hash names an object.
type Hash = plumbing.Hash

// Type is what an object holds, numbered as in packs.
type Type byte

// The types of objects.
const (
	Commit Type = 1
	Tree   Type = 2
	Blob   Type = 3
	Tag    Type = 4
)

// String is the type's name in git.
func (t Type) String() string {
	switch t {
	case Commit:
		return "commit"
	case Tree:
		return "tree"
	case Blob:
		return "blob"
	case Tag:
		return "tag"
	}
	return fmt.Sprintf("type %d", byte(t))
}

const (
	// maxBase is the size in bytes above which an object is not unpacked even where only a small one is made from it.
	maxBase = 256 << 20
	// maxAlternates is how many object folders may stand behind one, and how deep they may be nested, as in git.
	maxAlternates, maxNesting = 64, 5
)

// Store is an object folder with its alternates.
type Store struct {
	folders []string
	bases   *cache
	pool    inflaters

	packs atomic.Pointer[[]*pack]
	scan  sync.Mutex // one look for new packs at a time
}

// Open opens an object folder ("objects" of a git directory). Packs are opened when the first object is asked for.
func Open(objects string) (*Store, error) {
	s := &Store{bases: newCache(cacheBytes)}
	if err := s.add(objects, 0); err != nil {
		return nil, err
	}
	s.packs.Store(new([]*pack))
	return s, nil
}

// Trim gives back the memory that only makes further reading fast.
func (s *Store) Trim() { s.bases.empty() }

// add takes in a folder and those its info/alternates names. Alternates on other hosts (UNC paths) are not opened.
func (s *Store) add(folder string, depth int) error {
	if depth > maxNesting || len(s.folders) >= maxAlternates {
		return nil
	}
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		if depth > 0 {
			return nil // git leaves out alternates that are gone; an object that is only there is missing
		}
		return fmt.Errorf("opening the object folder: %w", errors.Join(err, fs.ErrNotExist))
	}
	for _, known := range s.folders {
		if known == folder {
			return nil
		}
	}
	s.folders = append(s.folders, folder)
	list, err := ReadSmall(filepath.Join(folder, "info", "alternates"), 1<<20)
	if err != nil {
		return nil
	}
	for line := range strings.SplitSeq(string(list), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' || line[0] == '"' || strings.HasPrefix(line, "//") || strings.HasPrefix(line, `\\`) {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(folder, line)
		}
		if err := s.add(filepath.Clean(line), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Read returns an object's type and bytes, which belong to the caller. Objects of more than limit bytes are
// ErrTooLarge, found out before they are unpacked.
func (s *Store) Read(id Hash, limit int64) (Type, []byte, error) {
	var typ Type
	var data []byte
	err := s.find(id, func(p *pack, at int64) (err error) {
		typ, data, err = p.read(at, limit, s.bases)
		return err
	}, func(path string) (err error) {
		typ, data, err = readLoose(path, limit, &s.pool)
		return err
	})
	if err == nil && Name(typ, data) != id {
		err = fmt.Errorf("%w: its bytes do not have its name", ErrCorrupt)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", id, err)
	}
	return typ, data, nil
}

// Size returns an object's type and its size in bytes without unpacking it.
func (s *Store) Size(id Hash) (Type, int64, error) {
	var typ Type
	var size int64
	err := s.find(id, func(p *pack, at int64) (err error) {
		typ, size, err = p.size(at)
		return err
	}, func(path string) (err error) {
		typ, size, err = sizeLoose(path, &s.pool)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", id, err)
	}
	return typ, size, nil
}

// find calls packed or loose with where the object is. A damaged copy gives way to a sound one elsewhere.
func (s *Store) find(id Hash, packed func(*pack, int64) error, loose func(string) error) error {
	var first error
	for range 3 {
		packs := s.packs.Load()
		for _, p := range *packs {
			at, ok, err := p.find(id)
			if err == nil && !ok {
				continue
			}
			if err == nil {
				if err = packed(p, at); err == nil || errors.Is(err, ErrTooLarge) {
					return err
				}
			}
			if first == nil {
				first = err
			}
		}
		for _, folder := range s.folders {
			name := id.String()
			err := loose(filepath.Join(folder, name[:2], name[2:]))
			if err == nil || errors.Is(err, ErrTooLarge) {
				return err
			}
			if first == nil && !errors.Is(err, fs.ErrNotExist) {
				first = err
			}
		}
		if !s.rescan(packs) {
			break
		}
	}
	if first != nil {
		return first
	}
	return ErrMissing
}

// Loose returns the file that an object is in by itself, in this folder and not in an alternate, or "".
func (s *Store) Loose(id Hash) string {
	name := id.String()
	file := filepath.Join(s.folders[0], name[:2], name[2:])
	if _, err := os.Lstat(file); err != nil {
		return ""
	}
	return file
}

// rescan opens the packs that are not open yet and reports whether there are others now than those that were seen.
func (s *Store) rescan(seen *[]*pack) bool {
	s.scan.Lock()
	defer s.scan.Unlock()
	if s.packs.Load() != seen {
		return true
	}
	old := *seen
	known := make(map[string]bool, len(old))
	for _, p := range old {
		known[p.name] = true
	}
	all := old[:len(old):len(old)]
	for _, folder := range s.folders {
		entries, err := os.ReadDir(filepath.Join(folder, "pack"))
		if err != nil {
			continue
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(filepath.Join(folder, "pack", e.Name()), ".idx")
			if !ok || known[name] {
				continue
			}
			if p, err := openPack(name, &s.pool); err == nil {
				all = append(all, p)
			}
		}
	}
	if len(all) == len(old) {
		return false
	}
	// Most objects are in the largest pack.
	sort.SliceStable(all, func(i, j int) bool { return all[i].count > all[j].count })
	s.packs.Store(&all)
	return true
}

// Close closes the packs. The store must not be used afterwards.
func (s *Store) Close() error {
	s.scan.Lock()
	defer s.scan.Unlock()
	for _, p := range *s.packs.Load() {
		p.close()
	}
	s.packs.Store(new([]*pack))
	return nil
}
