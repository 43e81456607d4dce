package data

import "strings"

// block reads the mapping or sequence whose first byte stands at i, in column column of the current line. Like all
// readers of collections it returns the byte after the value and leaves the next line with content current.
func (f *fastReader) block(i, column int) (*Node, int) {
	if f.depth++; f.depth > maxFastDepth {
		f.fail()
		return nil, i
	}
	var n *Node
	end := i
	if f.dash(i) {
		n, end = f.sequence(i, column)
	} else if t := f.key(i); !f.failed {
		n, end = f.entries(t, i, column)
	}
	f.depth--
	return n, end
}

// dash reports whether the dash of a sequence entry stands at i.
func (f *fastReader) dash(i int) bool {
	return f.s[i] == '-' && (i+1 == len(f.s) || f.s[i+1] == ' ' || f.s[i+1] == '\n' || f.s[i+1] == '\r')
}

// sequence reads entries at the column of the first dash, which stands at i.
func (f *fastReader) sequence(i, column int) (*Node, int) {
	n := f.node()
	n.Kind = List
	start, end := i, i
	mark := len(f.itemStack)
	for {
		var item *Node
		item, end = f.entry(i, column)
		f.itemStack = append(f.itemStack, item)
		if f.column != column || !f.dash(f.at) {
			break
		}
		i = f.at
	}
	if f.column > column {
		f.fail()
	}
	n.At = f.span(start, end)
	n.Items = f.takeItems(mark)
	return n, end
}

// entry reads one entry of a sequence.
func (f *fastReader) entry(dash, column int) (*Node, int) {
	s := f.s
	i := dash + 1
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) || s[i] == '\n' || s[i] == '\r' || s[i] == '#' {
		f.endLine(dash + 1)
		f.advance()
		if f.column > column {
			return f.block(f.at, f.column)
		}
		return f.null(dash + 1), dash + 1
	}
	inner := i - f.line
	if f.dash(i) {
		return f.block(i, inner)
	}
	// The entry is a mapping if a key starts it.
	var t piece
	switch first[s[i]] {
	case quote:
		t = f.quoted(i)
	case plainStart:
		t = f.plain(i)
	case bracket:
		n, end := f.flow(i)
		f.finish(end)
		return n, end
	}
	if f.failed || t.end == 0 {
		f.fail()
		return nil, i
	}
	if t.colon > 0 {
		if f.depth++; f.depth > maxFastDepth {
			f.fail()
			return nil, i
		}
		n, end := f.entries(t, i, inner)
		f.depth--
		return n, end
	}
	if strings.Contains(t.text, wideColon) {
		f.fail() // perhaps a key that the reference reader misses
	}
	f.finish(t.end)
	return f.scalar(i, t), t.end
}

// finish ends the line after a value and goes on to the next, which must not be deeper: deeper lines carry a plain
// scalar on. The callers know their columns and check.
func (f *fastReader) finish(end int) {
	f.endLine(end)
	f.advance()
}

func (f *fastReader) null(at int) *Node {
	n := f.node()
	n.At = f.span(at, at)
	return n
}
