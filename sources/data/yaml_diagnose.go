package data

import "strings"

// diagnose finds where a text that yaml.v3 refuses stops being YAML, nil if it sees nothing wrong. yaml.v3 names the
// line where the surrounding collection begins, or one line too few, or none.
func diagnose(s string) *fault {
	d := diagnosis{lexer: lexer{s: s}}
	for pos := 0; pos < len(s) && d.fault == nil; {
		pos = d.line(pos)
	}
	if d.fault == nil {
		return d.weak
	}
	return d.fault
}

// diagnosis keeps the block collections that are open, outermost first.
type diagnosis struct {
	lexer
	levels []level
	// value: the last key or dash still waits for its value.
	value bool
	// text: the last value was plain, so that deeper lines carry it on; parent is the column they must exceed.
	// first is where that value starts if no key stands before it on its line, else -1.
	text   bool
	parent int
	first  int
	piece  int    // the first piece of the line
	weak   *fault // a suspicion, for want of anything better
}

type level struct {
	column int
	list   bool
}

func (d *diagnosis) top() level {
	if len(d.levels) == 0 {
		return level{column: -1}
	}
	return d.levels[len(d.levels)-1]
}

func (d *diagnosis) push(column int, list bool) { d.levels = append(d.levels, level{column, list}) }

// line reads the line at pos, and further ones if a piece goes on over them; it returns the start of the next.
func (d *diagnosis) line(pos int) int {
	i := pos
	for i < len(d.s) && d.s[i] == ' ' {
		i++
	}
	text := d.blanks(i)
	stop := d.endOfLine(text)
	if text == stop || d.s[text] == '#' {
		if text > i && d.weak == nil {
			f := faultTab(i, text)
			d.weak = &f
		}
		return nextLine(d.s, stop)
	}
	if text > i {
		d.fail(faultTab(i, text))
		return stop
	}
	if marker(d.s, pos, '-') || marker(d.s, pos, '.') {
		d.levels, d.value, d.text = nil, true, false
		if i = d.blanks(pos + 3); d.rest(pos + 3) {
			return nextLine(d.s, stop)
		}
		return d.content(pos, i, false)
	}
	if d.s[pos] == '%' && len(d.levels) == 0 {
		return nextLine(d.s, stop)
	}
	column := i - pos
	if d.text && column > d.parent {
		end := d.plain(i, false)
		if end < len(d.s) && d.s[end] == ':' {
			d.continued(i, end, column)
		}
		return nextLine(d.s, stop)
	}
	return d.entry(pos, i)
}

// continued reports a key from i to end on a line that its indentation makes a part of the value above.
func (d *diagnosis) continued(i, end, column int) {
	if d.first >= 0 {
		// A value alone on its line, with a key below it: most likely that line was to be a key itself.
		stop := d.plain(d.first, false)
		above := d.s[d.first:stop]
		if d.first-lastLine(d.s, d.first) == column || strings.HasSuffix(above, wideColon) || !strings.ContainsAny(above, " \t") {
			d.fail(faultNoColon(d.first, stop, d.s))
			return
		}
	}
	d.fail(faultContinued(i, end, d.s))
}

// entry reads the first piece of a line, which stands at i, as a part of the collections that are open.
func (d *diagnosis) entry(pos, i int) int {
	above := d.piece
	d.piece = i
	column := i - pos
	stop := d.endOfLine(i)
	dash := d.s[i] == '-' && d.endsToken(i+1)
	popped := false
	for len(d.levels) > 0 && d.top().column > column {
		d.levels = d.levels[:len(d.levels)-1]
		popped = true
	}
	// A list may stand at the column of the key that it belongs to; such a list ends at the next key.
	if top := d.top(); top.list && top.column == column && !dash && len(d.levels) > 1 && d.levels[len(d.levels)-2].column == column {
		d.levels = d.levels[:len(d.levels)-1]
	}
	top := d.top()
	switch {
	case len(d.levels) == 0 && popped, column > top.column && (popped || !d.value && len(d.levels) > 0):
		d.fail(faultIndent(i, stop, above))
	case column == top.column && top.list && !dash:
		d.fail(faultMixed(i, stop, true))
	case column == top.column && !top.list && dash && !d.value:
		d.fail(faultMixed(i, stop, false))
	}
	if d.fault != nil {
		return stop
	}
	return d.content(pos, i, true)
}

// content reads dashes, keys and one value of the line at pos from i on. open says that a collection may start here.
func (d *diagnosis) content(pos, i int, open bool) int {
	stop := d.endOfLine(i)
	for {
		column := i - pos
		d.text = false
		if c := d.s[i]; open && (c == '-' || c == '?' || c == ':') && d.endsToken(i+1) {
			if top := d.top(); top.column < column || c == '-' && !top.list {
				d.push(column, c == '-')
			}
			d.value, d.parent = true, column
			if d.rest(i + 1) {
				return nextLine(d.s, stop)
			}
			i = d.blanks(i + 1)
			if d.s[i-1] == '\t' {
				d.checkTab(i)
			}
			continue
		}
		start := d.properties(i)
		if start >= stop || d.s[start] == '#' {
			return nextLine(d.s, stop)
		}
		if d.blockHeader(start) {
			d.value = false
			return d.blockBody(nextLine(d.s, start), max(d.top().column, -1))
		}
		end, plain := d.readPiece(start)
		if d.fault != nil {
			return stop
		}
		colon := d.blanks(end)
		if colon < len(d.s) && d.s[colon] == ':' && d.endsToken(colon+1) {
			if !open {
				d.fail(faultSecondColon(colon))
				return stop
			}
			if top := d.top(); top.column < column {
				d.push(column, false)
			}
			open, d.value, d.parent = false, true, d.top().column
			if d.rest(colon + 1) {
				return nextLine(d.s, stop)
			}
			i = d.blanks(colon + 1)
			continue
		}
		return d.finish(start, end, column, plain, open)
	}
}
