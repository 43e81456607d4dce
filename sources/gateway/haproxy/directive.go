package haproxy

import "strings"

// directive handles .if and its kin; ok is false for other words that start with a dot.
func (s *scanner) directive(l *line) (ok bool) {
	switch l.words[0].text {
	case ".if":
		kind := condition(l.words[1:])
		s.dots.open(kind, kind == neutral)
	case ".elif":
		if s.dots.top == nil {
			return true
		}
		kind := condition(l.words[1:])
		if s.dots.top.taken {
			kind = dead
		}
		s.dots.branch(kind, s.dots.top.taken || kind == neutral)
	case ".else":
		if s.dots.top == nil {
			return true
		}
		kind := cond
		if s.dots.top.taken {
			kind = dead
		} else if s.dots.top.kind == dead {
			kind = neutral
		}
		s.dots.branch(kind, true)
	case ".endif":
		s.dots.shut()
	case ".notice", ".warning", ".alert", ".diag":
	default:
		return false
	}
	return true
}

// condition reads the condition of .if as far as it is a constant.
func condition(words []word) blockKind {
	if len(words) != 1 {
		return cond
	}
	text, negated := strings.CutPrefix(words[0].text, "!")
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return cond
	}
	if (strings.Trim(text, "0") == "") != negated {
		return dead
	}
	return neutral
}
