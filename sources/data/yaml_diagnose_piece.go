package data

import "strings"

// finish ends a value: what follows it on its last line, and whether a value may stand there at all.
func (d *diagnosis) finish(start, end, column int, plain, open bool) int {
	stop := d.endOfLine(end)
	if top := d.top(); open && !top.list && top.column == column && len(d.levels) > 0 {
		d.fail(faultNoColon(start, d.plain(start, false), d.s))
	}
	if !d.rest(end) {
		d.after(start, end, stop)
	}
	d.value, d.text, d.first = false, plain, -1
	if open {
		d.first = start
	}
	d.parent = d.top().column
	return nextLine(d.s, stop)
}

// blameOpener moves a fault in the flow collection at i to a bracket on its first line, if a line further down looks
// like the next key of the mapping around it: the bracket was not closed, and what broke was something else.
func (d *diagnosis) blameOpener(i int) {
	if d.fault == nil {
		return
	}
	stop := d.endOfLine(i)
	for pos := nextLine(d.s, stop); pos <= d.fault.start; pos = nextLine(d.s, pos) {
		text := d.blanks(pos)
		if text-pos <= d.top().column && text < len(d.s) && breakLen(d.s, text) == 0 && strings.IndexByte("]}#", d.s[text]) < 0 {
			d.fault = nil
			line := lexer{s: d.s[:stop]}
			line.flow(i)
			if line.fault != nil {
				d.fail(faultUnclosedBracket(line.fault.start, d.s))
			}
			return
		}
	}
}

// after words text that follows a value that has ended.
func (d *diagnosis) after(start, end, stop int) {
	line := lastLine(d.s, start)
	if i := strings.Index(d.s[line:start], wideColon); i >= 0 {
		d.fail(faultWideColon(line, start, i, d.s[line:start]))
		return
	}
	switch c := d.s[start]; c {
	case '[', '{':
		if address := addressEnd(d.s, start); c == '[' && address >= end {
			d.fail(faultAddress(start, address, d.s))
			return
		}
		d.fail(faultAfterBracket(d.blanks(end), stop))
	case '"', '\'':
		if nextLine(d.s, start) <= end {
			d.fail(faultUnclosedQuote(start)) // closed by the quote of another text, lines below
			return
		}
		d.fail(faultAfterQuote(d.blanks(end), stop))
	}
}

// checkTab reports tabs between a dash and a collection on the same line.
func (d *diagnosis) checkTab(i int) {
	if end := d.plain(i, false); end < len(d.s) && d.s[end] == ':' {
		d.fail(faultTab(i-1, i))
	}
}

// properties skips anchors and tags on the line and notes them.
func (d *diagnosis) properties(i int) int {
	for i < len(d.s) && (d.s[i] == '&' || d.s[i] == '!') {
		start := i
		for !d.endsToken(i) {
			i++
		}
		d.names = append(d.names, name{start, i})
		i = d.blanks(i)
	}
	return i
}

// readPiece reads a quoted, flow or plain piece and returns the byte after it.
func (d *diagnosis) readPiece(i int) (end int, plain bool) {
	switch c := d.s[i]; c {
	case '"', '\'':
		return d.quoted(i), false
	case '[', '{':
		end := d.flow(i)
		d.blameOpener(i)
		return end, false
	case '@', '`', '%':
		d.fail(faultReserved(i, c))
	case '|', '>':
		d.fail(faultHeader(i, d.plain(i, false)))
	case '*':
		end := d.plain(i, false)
		after := d.word(i + 1)
		if after < end && !d.endsToken(after) || after == i+1 {
			d.fail(faultStar(i, end))
		}
		d.names = append(d.names, name{i, after})
		return after, false
	case ']', '}', ',':
		d.fail(faultReserved(i, c))
	}
	return d.plain(i, false), true
}
