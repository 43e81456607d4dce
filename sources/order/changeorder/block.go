package changeorder

import (
	"bytes"

	"github.com/poolproof/poolproof/schema"
)

// block is where the orders of a text stand: lines [start, end) of front matter, or of each fenced block.
type block struct {
	front  bool
	fences []fence
}

// fence is one fenced block: its content and the line that closes it.
type fence struct{ start, end, closed int }

// span covers all of the orders.
func (b block) span() schema.Span {
	return schema.At(b.fences[0].start, b.fences[len(b.fences)-1].end)
}

// find returns the front matter of a text, or its fenced blocks of YAML where those hold an order and the front matter
// does not say that it is one.
func find(text []byte) (block, bool) {
	start := len(text) - len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	front, ok := frontMatter(text, start)
	if ok && holdsOrder(text[front.start:front.end]) {
		return block{front: true, fences: []fence{front}}, true
	}
	if ok {
		start = front.end
	}
	if list := fences(text, start); list != nil {
		return block{fences: list}, true
	}
	return block{front: true, fences: []fence{front}}, ok
}

// frontMatter finds what stands between a first line of --- and the next such line; to the end of the text if there is
// none.
func frontMatter(text []byte, start int) (fence, bool) {
	first, next := line(text, start)
	if string(first) != "---" {
		return fence{}, false
	}
	for at := next; at < len(text); {
		l, after := line(text, at)
		if string(l) == "---" || string(l) == "..." {
			return fence{next, at, at}, true
		}
		at = after
	}
	return fence{next, len(text), len(text)}, true
}

// line returns the line at a position without its end, and where the next one starts.
func line(text []byte, at int) (content []byte, next int) {
	n := bytes.IndexByte(text[at:], '\n')
	if n < 0 {
		return bytes.TrimRight(text[at:], " \t\r"), len(text)
	}
	return bytes.TrimRight(text[at:at+n], " \t\r"), at + n + 1
}

// fences finds blocks between ``` or ~~~ lines that are marked as YAML, or not at all, and that hold an order.
func fences(text []byte, at int) []fence {
	var found []fence
	for at < len(text) {
		l, next := line(text, at)
		if until := hides(l); until != nil {
			at = behind(text, at, until)
			continue
		}
		mark, info := opening(l)
		if mark == nil {
			at = next
			continue
		}
		f := fence{start: next, end: len(text), closed: len(text)}
		for at = next; at < len(text); {
			l, after := line(text, at)
			if closes(l, mark) {
				f.end, f.closed = at, at
				at = after
				break
			}
			at = after
		}
		if (info == "" || info == "yaml" || info == "yml") && holdsOrder(text[f.start:f.end]) {
			found = append(found, f)
		}
	}
	return found
}

// hidden are the beginnings of HTML in Markdown that a reader does not see, and what ends them.
func hidden() [][2]string {
	return [][2]string{{"<!--", "-->"}, {"<script", "</script>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"}, {"<?", "?>"}, {"<![cdata[", "]]>"}}
}

// hides returns what ends the invisible block that a line opens, nil if it opens none. An order in a comment is an example, or
// one that nobody reviewed.
func hides(l []byte) []byte {
	start := bytes.TrimLeft(l, " ")
	if len(l)-len(start) > 3 {
		return nil
	}
	for _, h := range hidden() {
		if len(start) >= len(h[0]) && string(bytes.ToLower(start[:len(h[0])])) == h[0] {
			return []byte(h[1])
		}
	}
	return nil
}

// behind returns where the line after the one with a text starts, the end if there is none.
func behind(text []byte, at int, until []byte) int {
	for at < len(text) {
		l, next := line(text, at)
		if at = next; bytes.Contains(bytes.ToLower(l), until) {
			break
		}
	}
	return at
}

// opening returns the mark of a line that opens a block, and what the block is said to hold.
func opening(l []byte) (mark []byte, info string) {
	l = bytes.TrimLeft(l, " ")
	if len(l) < 3 || l[0] != '`' && l[0] != '~' {
		return nil, ""
	}
	n := 0
	for n < len(l) && l[n] == l[0] {
		n++
	}
	if n < 3 || bytes.IndexByte(l[n:], '`') >= 0 {
		return nil, ""
	}
	fields := bytes.Fields(l[n:])
	if len(fields) > 0 {
		info = string(bytes.ToLower(fields[0]))
	}
	return l[:n], info
}

func closes(l, mark []byte) bool {
	l = bytes.TrimLeft(l, " ")
	return len(l) >= len(mark) && len(bytes.TrimLeft(l, string(mark[:1]))) == 0
}

// header is how an order says what it is.
const header = "poolproof:"

// holdsOrder reports whether one of the lines says that this is an order.
func holdsOrder(text []byte) bool {
	for at := 0; at < len(text); {
		l, next := line(text, at)
		l = bytes.TrimLeft(l, " ")
		if rest, ok := bytes.CutPrefix(l, []byte(header)); ok && bytes.HasPrefix(bytes.Trim(rest, " \t\"'"), []byte("change-order")) {
			return true
		}
		at = next
	}
	return false
}

// claims reports whether the text says of itself that it is an order.
func (b block) claims(text []byte) bool {
	for _, f := range b.fences {
		if f.start <= len(text) && holdsOrder(text[f.start:min(f.end, len(text))]) {
			return true
		}
	}
	return false
}

// masked returns the orders of a text as a stream of YAML in which every byte keeps its place: what stands before and
// between them is blank, and the lines that close fences separate documents.
func (b block) masked(text []byte) []byte {
	if b.front {
		return text[:b.fences[0].end]
	}
	last := b.fences[len(b.fences)-1]
	out := bytes.Repeat([]byte{' '}, last.end)
	for i, c := range text[:last.end] {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	for _, f := range b.fences {
		copy(out[f.start:f.end], text[f.start:f.end])
		if f.closed < last.end {
			copy(out[f.closed:], "---")
		}
	}
	return out
}
