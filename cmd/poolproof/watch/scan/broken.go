package scan

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/poolproof/poolproof/reconcile/index"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// broken are the readings of files that could not be read, or not be read whole, whichever findings are asked for.
type broken struct {
	readings map[index.ID]bool
	paths    map[string]int // the readings of each file, counted
	// sides are those with a file of which nothing could be read, at the last look at everything or since: what such a
	// look says that they lack stands until the next one.
	sides map[schema.Side]bool
}

func newBroken() broken {
	return broken{map[index.ID]bool{}, map[string]int{}, map[schema.Side]bool{}}
}

// see notes how a file was read.
func (b *broken) see(id index.ID, side schema.Side, f *load.File) {
	b.forget(id)
	for i := range f.Result.Problems {
		if r := f.Result.Problems[i].Rule; r == "source/unreadable" || r == "source/syntax" {
			b.readings[id] = true
			b.paths[id.Path]++
			if len(f.Result.Copies) == 0 {
				b.sides[side] = true
			}
			return
		}
	}
}

func (b *broken) forget(id index.ID) {
	if !b.readings[id] {
		return
	}
	delete(b.readings, id)
	if b.paths[id.Path]--; b.paths[id.Path] == 0 {
		delete(b.paths, id.Path)
	}
}

// exhausted returns why files could not be read where that is no fault of theirs: the machine has too little of something
// at the moment, and says nothing about the tree.
func exhausted(l *load.Loaded) error {
	for _, f := range l.Files {
		for _, short := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
			if errors.Is(f.Failure(), short) {
				return fmt.Errorf("reading the copies: %w", f.Failure())
			}
		}
	}
	return nil
}

// Unread reports whether a file could not be read, or not be read whole.
func (s *Scanner) Unread(file string) bool { return s.unread[file] > 0 || s.broken.paths[file] > 0 }

// AnyUnread reports whether there is such a file.
func (s *Scanner) AnyUnread() bool { return len(s.unread)+len(s.broken.readings) > 0 }

// Doubtful reports whether a finding may only seem so: it says that a side lacks something, and there is a file of that
// side of which nothing could be read.
func (s *Scanner) Doubtful(f *schema.Finding) bool {
	for side := range s.broken.sides {
		switch f.Rule {
		case "pool/unmatched": // no other side has it; in the manifest: some side, or none
			if side != f.At.Side {
				return true
			}
		case "pool/missing-copy":
			if string(side) == f.Field {
				return true
			}
		case "source/empty":
			return true
		}
	}
	return false
}
