package data

import (
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// filler stands in for an expression: a character that the text does not hold, then underscores.
type filler struct {
	regions []region
	mark    string
	source  string // with its expressions
	quotes  bool   // filler outside quotes has quotes of its own
}

// fill replaces the expressions of a text by filler of the same length, so that YAML can be read around them.
// quotes puts filler outside quotes into quotes of its own, for formats in which nothing else is a text.
func fill(s string, regions []region, quotes bool) (string, *filler) {
	f := &filler{regions: regions, source: s, quotes: quotes}
	for _, mark := range []string{"\uE0F1", "\uE1F2", "\uE2F3", "\uE3F4"} {
		if f.mark = mark; !strings.Contains(s, mark) {
			break
		}
	}
	out := []byte(s)
	for _, r := range regions {
		if r.line {
			for i := r.start; i < r.end; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
			continue
		}
		body := out[r.start:r.end]
		if quotes && !r.quoted {
			body[0], body[len(body)-1] = '"', '"'
			body = body[1 : len(body)-1]
		}
		for i := copy(body, f.mark); i < len(body); i++ {
			body[i] = '_'
		}
	}
	return string(out), f
}

// restore puts the expressions between two places of the source back into a scalar's text.
func (f *filler) restore(n *Node, start, end int) {
	if f.between(start, end) {
		n.Kind, n.Text = String, f.source[start:end] // a text over several lines, some of them expressions
		return
	}
	if !strings.Contains(n.Text, f.mark) {
		return
	}
	n.Kind = String
	text := n.Text
	var b strings.Builder
	for i := f.from(start); i < len(f.regions) && f.regions[i].end <= end; i++ {
		r := f.regions[i]
		at := strings.Index(text, f.mark)
		size := r.end - r.start
		if f.quotes && !r.quoted {
			size -= 2
			n.Style = Plain // the quotes are the filler's
		}
		if at < 0 || at+size > len(text) {
			break
		}
		b.WriteString(text[:at])
		b.WriteString(f.source[r.start:r.end])
		text = text[at+size:]
	}
	b.WriteString(text)
	n.Text = b.String()
}

// between reports whether a line of expressions stands between two places.
func (f *filler) between(start, end int) bool {
	for i := f.from(start); i < len(f.regions) && f.regions[i].start < end; i++ {
		if f.regions[i].line {
			return true
		}
	}
	return false
}

// from returns the index of the first region at or after a place.
func (f *filler) from(start int) int {
	return sort.Search(len(f.regions), func(i int) bool { return f.regions[i].start >= start })
}

// unrendered is the one problem of a file that is a template; it stands at the first expression that decides anything.
func unrendered(s string, base int, regions []region) schema.Problem {
	r := regions[0]
	for _, other := range regions {
		if other.breaks && role(s[other.start:other.end]) != comment {
			r = other
			break
		}
	}
	return schema.Problem{
		Rule: "source/unresolved", At: schema.At(base+r.start, base+r.end),
		Text: schema.Textf("this file is a template: only what stands in it literally is read, and nothing can be checked that its expressions decide", "此文件是模板：只读取其中的字面内容，由表达式决定的部分无法检查"),
		Hint: schema.Textf("render it, and check the rendered file", "请先渲染，再检查渲染结果"),
	}
}

// breaking reports whether any expression stands where readers stumble over it.
func breaking(regions []region) bool {
	return slices.ContainsFunc(regions, func(r region) bool { return r.breaks })
}
