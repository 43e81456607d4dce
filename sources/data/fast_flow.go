package data

// flow reads the flow collection at i, which must end on its line.
func (f *fastReader) flow(i int) (*Node, int) {
	if f.depth++; f.depth > maxFastDepth {
		f.fail()
		return nil, i
	}
	var n *Node
	end := i
	if f.s[i] == '[' {
		n, end = f.flowList(i)
	} else {
		n, end = f.flowMap(i)
	}
	f.depth--
	return n, end
}

// spaces returns the first byte from i on that is no space; the end of the text counts as a line feed.
func (f *fastReader) spaces(i int) (int, byte) {
	for i < len(f.s) && f.s[i] == ' ' {
		i++
	}
	if i == len(f.s) {
		return i, '\n'
	}
	return i, f.s[i]
}

func (f *fastReader) flowList(start int) (*Node, int) {
	n := f.node()
	n.Kind = List
	mark := len(f.itemStack)
	i, c := f.spaces(start + 1)
	for c != ']' {
		item, end := f.flowValue(i)
		if f.failed {
			return nil, i
		}
		f.itemStack = append(f.itemStack, item)
		if i, c = f.spaces(end); c == ',' {
			i, c = f.spaces(i + 1)
		} else if c != ']' {
			f.fail()
			return nil, i
		}
	}
	n.At = f.span(start, i+1)
	n.Items = f.takeItems(mark)
	return n, i + 1
}

func (f *fastReader) flowMap(start int) (*Node, int) {
	n := f.node()
	n.Kind = Map
	mark := len(f.pairStack)
	i, c := f.spaces(start + 1)
	for c != '}' {
		t := f.flowPiece(i)
		if f.failed {
			return nil, i
		}
		f.checkKey(t, i)
		keyAt := f.span(i, t.end)
		colon, c2 := f.spaces(t.end)
		if c2 != ':' || !t.quoted && (colon+1 >= len(f.s) || f.s[colon+1] != ' ') {
			f.fail()
			return nil, i
		}
		value, _ := f.spaces(colon + 1)
		p := len(f.pairStack)
		f.pairStack = append(f.pairStack, Pair{Key: t.text, KeyAt: keyAt})
		node, end := f.flowValue(value)
		if f.failed {
			return nil, i
		}
		f.pairStack[p].Value = node
		if i, c = f.spaces(end); c == ',' {
			i, c = f.spaces(i + 1)
		} else if c != '}' {
			f.fail()
			return nil, i
		}
	}
	if f.repeated(mark) {
		f.fail()
	}
	n.At = f.span(start, i+1)
	n.Pairs = f.takePairs(mark)
	return n, i + 1
}

// flowValue reads one value inside brackets.
func (f *fastReader) flowValue(i int) (*Node, int) {
	if i < len(f.s) && first[f.s[i]] == bracket {
		return f.flow(i)
	}
	t := f.flowPiece(i)
	if f.failed {
		return nil, i
	}
	return f.scalar(i, t), t.end
}

// flowPiece reads a scalar inside brackets.
func (f *fastReader) flowPiece(i int) piece {
	s := f.s
	if i >= len(s) {
		f.fail()
		return piece{}
	}
	switch first[s[i]] {
	case quote:
		if t := f.flowQuoted(i); t.end > 0 {
			return t
		}
	case plainStart:
		if t := f.flowPlain(i); t.end > 0 {
			return t
		}
	}
	f.fail()
	return piece{}
}

func (f *fastReader) flowPlain(i int) piece {
	s := f.s
	start := i
	if s[i] == '-' && (i+1 >= len(s) || first[s[i+1]] != plainStart) {
		return piece{}
	}
scan:
	for ; i < len(s); i++ {
		if !flowStops[s[i]] {
			continue
		}
		switch s[i] {
		case ',', ']', '}':
			break scan
		case ':':
			if i+1 >= len(s) || s[i+1] == ' ' {
				break scan
			}
			if first[s[i+1]] != plainStart {
				return piece{}
			}
		case '#':
			if s[i-1] == ' ' {
				return piece{}
			}
		default:
			return piece{}
		}
	}
	end := i
	for s[end-1] == ' ' {
		end--
	}
	return piece{text: s[start:end], end: end}
}

// flowQuoted reads a quoted scalar inside brackets, where a colon may follow without a space.
func (f *fastReader) flowQuoted(i int) piece {
	s := f.s
	for j := i + 1; j < len(s) && s[j] != '\n'; j++ {
		if s[j] == '\\' && s[i] == '"' {
			return piece{}
		}
		if s[j] != s[i] {
			continue
		}
		if j+1 < len(s) && s[j+1] == '\'' {
			return piece{}
		}
		return piece{text: s[i+1 : j], end: j + 1, quoted: true}
	}
	return piece{}
}
