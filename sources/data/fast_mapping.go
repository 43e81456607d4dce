package data

// key reads the key that starts at i.
func (f *fastReader) key(i int) piece {
	var t piece
	switch first[f.s[i]] {
	case quote:
		t = f.quoted(i)
	case plainStart:
		t = f.plain(i)
	}
	if t.colon == 0 {
		f.fail()
	}
	return t
}

// entries reads the entries of a mapping from its first key t, which starts at i.
func (f *fastReader) entries(t piece, i, column int) (*Node, int) {
	n := f.node()
	n.Kind = Map
	start, end := i, i
	mark := len(f.pairStack)
	for {
		f.checkKey(t, i)
		// The place in the stack is taken before the value's own entries go on top of it.
		p := len(f.pairStack)
		f.pairStack = append(f.pairStack, Pair{Key: t.text, KeyAt: f.span(i, t.end)})
		var value *Node
		value, end = f.value(t.colon+1, column)
		if f.failed {
			return nil, i
		}
		f.pairStack[p].Value = value
		if f.column != column {
			break
		}
		i = f.at
		if t = f.key(i); f.failed {
			return nil, i
		}
	}
	if f.column > column || f.repeated(mark) {
		f.fail()
	}
	n.At = f.span(start, end)
	n.Pairs = f.takePairs(mark)
	return n, end
}

// checkKey leaves to the reference reader what it has something to say about: merge keys, keys too long for YAML, and
// keys that start with look-alikes of blanks.
func (f *fastReader) checkKey(t piece, i int) {
	if t.end-i > 1000 || t.text == "<<" || f.s[i] >= 0x80 && oddStart(f.s[i:]) {
		f.fail()
	}
}

// value reads the value of a key in a mapping at column; i is the byte after the colon.
func (f *fastReader) value(i, column int) (*Node, int) {
	s := f.s
	colon := i
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) || s[i] == '\n' || s[i] == '\r' || s[i] == '#' {
		f.endLine(colon)
		f.advance()
		switch {
		case f.column > column:
			return f.block(f.at, f.column)
		case f.column == column && f.dash(f.at):
			return f.block(f.at, f.column)
		}
		return f.null(colon), colon
	}
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
	if t.end == 0 || t.colon > 0 {
		f.fail()
		return nil, i
	}
	f.finish(t.end)
	return f.scalar(i, t), t.end
}

// repeated reports whether a key stands twice in the mapping that the stack holds from mark on.
func (f *fastReader) repeated(mark int) bool {
	pairs := f.pairStack[mark:]
	if len(pairs) > smallMap {
		clear(f.seen)
		if f.seen == nil {
			f.seen = make(map[string]bool, 2*len(pairs))
		}
		for i := range pairs {
			f.seen[pairs[i].Key] = true
		}
		return len(f.seen) < len(pairs)
	}
	for i := 1; i < len(pairs); i++ {
		key := pairs[i].Key
		for j := range i {
			if pairs[j].Key == key {
				return true
			}
		}
	}
	return false
}
