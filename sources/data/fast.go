package data

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// fastReader reads the common forms of YAML in one pass over the bytes: block mappings and sequences, scalars and flow
// collections that end on their line, comments. It never guesses: whatever else it meets, it gives the document up,
// and the reference reader takes it. What it does accept, it reads exactly like the reference reader, problems and all
// (it accepts nothing that has problems).
type fastReader struct {
	slabs
	s    string
	src  []byte // the bytes of s
	base int    // bytes of the file before them

	// The line being read: its start, its first byte that is no space, and the column of that; at the end of the
	// document the column is -1.
	line, at, column int
	next             int  // the start of the line after it
	marker           int  // the --- that ended the document, or the end of the text
	failed           bool // the document is not for this reader
	depth            int
}

// maxFastDepth bounds recursion; deeper documents are rare enough to go the long way.
const maxFastDepth = 64

// document reads the document that starts at start and returns where the next one does. A stretch without a document
// gives one without a place.
func (f *fastReader) document(start int) (d Document, next int, ok bool) {
	f.next, f.failed, f.depth = start, false, 0
	f.pairStack, f.itemStack = f.pairStack[:0], f.itemStack[:0]
	f.advance()
	first := -1
	if f.column < 0 && !f.failed && f.marker < len(f.s) {
		first = f.marker
		d.At = f.span(first, first+3)
		f.line = first
		f.endLine(first + 3)
		f.advance()
	}
	if f.failed || f.column < 0 {
		return d, f.marker, !f.failed
	}
	if first < 0 {
		first = f.at
	}
	root, stop := f.block(f.at, f.column)
	if f.failed || f.column >= 0 {
		return d, 0, false
	}
	d.Root = root
	d.At = f.span(first, stop)
	return d, f.marker, true
}

func (f *fastReader) span(start, end int) schema.Span {
	return schema.Span{Start: uint32(f.base + start), End: uint32(f.base + end)}
}

// fail gives the document up. All loops end at the column that it sets.
func (f *fastReader) fail() {
	f.failed = true
	f.column = -1
}

// advance goes to the next line with content, or to the end of the document.
func (f *fastReader) advance() {
	if f.failed {
		return
	}
	s := f.s
	for i := f.next; i < len(s); {
		line := i
		i = f.indent(i)
		if i == len(s) {
			break
		}
		switch s[i] {
		case '\n':
			i++
		case '\r':
			i += 2
		case '#':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				i = len(s)
			} else {
				i += n + 1
			}
		case '\t':
			f.fail()
			return
		case '-', '.':
			if i == line && marker(s, i, s[i]) {
				f.column, f.marker = -1, i
				f.failed = f.failed || s[i] == '.'
				return
			}
			f.line, f.at, f.column = line, i, i-line
			return
		default:
			f.line, f.at, f.column = line, i, i-line
			return
		}
	}
	f.column, f.marker = -1, len(s)
}

// indent returns the first byte from i on that is no space.
func (f *fastReader) indent(i int) int {
	for i+8 <= len(f.src) {
		w := binary.LittleEndian.Uint64(f.src[i:]) ^ ' '*ones
		if w != 0 {
			return i + bits.TrailingZeros64(w)/8
		}
		i += 8
	}
	for i < len(f.src) && f.src[i] == ' ' {
		i++
	}
	return i
}

// endLine checks that nothing but blanks and a comment follow on the line from i on, and notes where the next begins.
func (f *fastReader) endLine(i int) {
	s := f.s
	start := i
	for i < len(s) && s[i] == ' ' {
		i++
	}
	switch {
	case i == len(s):
		f.next = i
	case s[i] == '\n':
		f.next = i + 1
	case s[i] == '\r':
		f.next = i + 2
	case s[i] == '#' && i > start:
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			f.next = len(s)
		} else {
			f.next = i + n + 1
		}
	default:
		f.fail()
	}
}
