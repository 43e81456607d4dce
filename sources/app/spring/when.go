package spring

import "strings"

// accepts evaluates a profile expression: names, '!', '&', '|' and parentheses, where '&' and '|' are not mixed without
// parentheses. ok is false for text that is none, which Spring refuses.
func accepts(text string, active func(string) bool) (accepted, ok bool) {
	e := expression{rest: text, active: active}
	accepted, ok = e.group(0)
	return accepted, ok && strings.TrimSpace(e.rest) == ""
}

type expression struct {
	rest   string
	active func(string) bool
}

// maxParentheses bounds nesting.
const maxParentheses = 32

func (e *expression) peek() byte {
	e.rest = strings.TrimLeft(e.rest, " \t\r\n")
	if e.rest == "" {
		return 0
	}
	return e.rest[0]
}

// group reads terms that are joined by one operator.
func (e *expression) group(depth int) (value, ok bool) {
	if depth > maxParentheses {
		return false, false
	}
	if value, ok = e.term(depth); !ok {
		return false, false
	}
	operator := byte(0)
	for {
		c := e.peek()
		if c != '&' && c != '|' {
			return value, true
		}
		if operator != 0 && c != operator {
			return false, false
		}
		operator = c
		e.rest = e.rest[1:]
		next, ok := e.term(depth)
		if !ok {
			return false, false
		}
		if c == '&' {
			value = value && next
		} else {
			value = value || next
		}
	}
}

func (e *expression) term(depth int) (value, ok bool) {
	negate := false
	for e.peek() == '!' {
		negate = !negate
		e.rest = e.rest[1:]
	}
	if e.peek() == '(' {
		e.rest = e.rest[1:]
		if value, ok = e.group(depth + 1); !ok || e.peek() != ')' {
			return false, false
		}
		e.rest = e.rest[1:]
		return value != negate, true
	}
	n := strings.IndexAny(e.rest, "!&|() \t\r\n")
	if n < 0 {
		n = len(e.rest)
	}
	if n == 0 {
		return false, false
	}
	name := e.rest[:n]
	e.rest = e.rest[n:]
	return e.active(name) != negate, true
}
