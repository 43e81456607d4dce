package data

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// The classes of first bytes of a value that the fast reader takes; all others are left to the reference reader.
const (
	plainStart = iota + 1
	quote
	bracket
)

// first maps the first byte of a value to its class.
var first = firstBytes()

func firstBytes() (table [256]uint8) {
	for c := range table {
		switch {
		case c == '"' || c == '\'':
			table[c] = quote
		case c == '[' || c == '{':
			table[c] = bracket
		case c > ' ' && c != 0x7F && strings.IndexByte("?:,]}#&*!|>%@`", byte(c)) < 0:
			table[c] = plainStart
		}
	}
	return table
}

// flowStops marks the bytes at which a plain scalar inside brackets may end, or is none of the fast reader's.
var flowStops = stopBytes("\n\r\t:#,[]{}?")

func stopBytes(set string) (table [256]bool) {
	for _, c := range []byte(set) {
		table[c] = true
	}
	return table
}

// piece is a scalar that ends on its line. Its end is 0 if the reader gave up.
type piece struct {
	text   string
	end    int // after the last byte, with its quote
	colon  int // the colon that makes it a key, 0 if none follows
	quoted bool
}

// plain reads the plain scalar at i.
func (f *fastReader) plain(i int) piece {
	s := f.s
	start := i
	if s[i] == '-' && (i+1 >= len(s) || s[i+1] <= ' ') || i == f.line && (s[i] == '-' || s[i] == '.') {
		return piece{} // an entry where none may stand, or a document marker
	}
	colon := 0
scan:
	for i = f.skip(i); i < len(s); i = f.skip(i + 1) {
		switch s[i] {
		case '\n', '\r':
			break scan
		case ':':
			if i+1 >= len(s) || s[i+1] == ' ' || s[i+1] == '\n' || s[i+1] == '\r' {
				colon = i
				break scan
			}
			if s[i+1] == '\t' {
				return piece{}
			}
		case '#':
			if s[i-1] == ' ' {
				break scan
			}
		case '\t':
			return piece{}
		}
	}
	end := i
	for s[end-1] == ' ' {
		end--
	}
	return piece{text: s[start:end], end: end, colon: colon}
}

// skip returns the first byte from i on that may end a plain scalar: a colon, or one below $, among them blanks, line
// ends and #.
func (f *fastReader) skip(i int) int {
	for i+8 <= len(f.src) {
		w := binary.LittleEndian.Uint64(f.src[i:])
		v := w ^ ':'*ones
		// The lowest high bit set is exact; those above it may be carries.
		if m := ((w-'$'*ones)&^w | (v-ones)&^v) & high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	for i < len(f.src) && f.src[i] >= '$' && f.src[i] != ':' {
		i++
	}
	return i
}

// quoted reads the quoted scalar at i.
func (f *fastReader) quoted(i int) piece {
	s := f.s
	start := i + 1
	end := -1
	for j := start; j < len(s) && s[j] != '\n'; j++ {
		if s[j] == s[i] {
			end = j
			break
		}
		if s[j] == '\\' && s[i] == '"' {
			return piece{} // escapes
		}
	}
	if end < 0 || end+1 < len(s) && s[end+1] == '\'' {
		return piece{}
	}
	t := piece{text: s[start:end], end: end + 1, quoted: true}
	j := t.end
	for j < len(s) && s[j] == ' ' {
		j++
	}
	if j < len(s) && s[j] == ':' {
		if j+1 < len(s) && s[j+1] != ' ' && s[j+1] != '\n' && s[j+1] != '\r' {
			return piece{}
		}
		t.colon = j
	}
	return t
}

// scalar makes the node of a piece that starts at i.
func (f *fastReader) scalar(i int, t piece) *Node {
	n := f.node()
	n.Text = t.text
	n.At = f.span(i, t.end)
	if t.quoted {
		n.Kind, n.Style = String, Quoted
	} else {
		n.Kind = plainKind(t.text)
	}
	return n
}
