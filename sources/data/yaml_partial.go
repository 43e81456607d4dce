package data

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// partial marks what the lines of expressions in a template add to or take from the tree around them.
type partial struct {
	*filler
	base int    // bytes of the file before the text
	text string // without expressions
}

// node marks a collection whose entries expressions decide; intro is where its key or dash ends. It returns a value
// that an expression gives in place of one that is not written.
func (p *partial) node(n *Node, intro int) *Node {
	if n == nil || n.Alias.Known() {
		return n
	}
	start, end := int(n.At.Start)-p.base, int(n.At.End)-p.base
	if n.Scalar() {
		if n.Kind == Null && start == end {
			return p.written(n, end)
		}
		return n
	}
	i := p.from(intro)
	for k := range n.Pairs {
		pair := &n.Pairs[k]
		if pair.Merged {
			continue
		}
		i = p.gap(n, i, int(pair.KeyAt.End)-p.base)
		pair.Value = p.node(pair.Value, int(pair.KeyAt.End)-p.base)
		n.At.End = max(n.At.End, pair.Value.At.End)
		i = max(i, p.after(pair.Value))
	}
	for k, item := range n.Items {
		i = p.gap(n, i, int(item.At.Start)-p.base)
		n.Items[k] = p.node(item, int(item.At.Start)-p.base)
		n.At.End = max(n.At.End, n.Items[k].At.End)
		i = max(i, p.after(n.Items[k]))
	}
	end = int(n.At.End) - p.base
	i = p.gap(n, i, end)
	// Expressions below the last entry add to it, unless they only end a block that began above.
	for stop := skipWhite(p.text, end); i < len(p.regions) && p.regions[i].start < stop; i++ {
		if r := p.regions[i]; r.line && role(p.source[r.start:r.end]) == output {
			n.Partial = true
		}
	}
	return n
}

// gap marks n if lines of expressions other than comments stand before limit, from region i on.
func (p *partial) gap(n *Node, i, limit int) int {
	for ; i < len(p.regions) && p.regions[i].start < limit; i++ {
		if r := p.regions[i]; r.line && role(p.source[r.start:r.end]) != comment {
			n.Partial = true
		}
	}
	return i
}

// after returns the first region that a value does not cover.
func (p *partial) after(n *Node) int { return p.from(int(n.At.End) - p.base) }

// written returns the value that an expression on a line of its own gives, n if there is none.
func (p *partial) written(n *Node, pos int) *Node {
	stop := skipWhite(p.text, pos)
	for i := p.from(pos); i < len(p.regions) && p.regions[i].start < stop; i++ {
		r := p.regions[i]
		if text := p.source[r.start:r.end]; r.line && role(text) == output {
			return &Node{Kind: String, Text: text, At: schema.At(p.base+r.start, p.base+r.end)}
		}
	}
	return n
}

// The roles of expressions: some put text into the rendered file, some decide what stands in it, some do neither, as
// comments and the ends of blocks, whose beginnings say it already.
const (
	comment = iota
	control
	output
)

// role returns the strongest role of the expressions in text.
func role(text string) int {
	most := comment
	for len(text) >= 4 {
		kind := comment
		body := strings.TrimLeft(text[2:], "-+ \t\r\n")
		word := body
		if i := strings.IndexFunc(body, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' }); i >= 0 {
			word = body[:i]
		}
		closing := "}}"
		switch text[:2] {
		case "{{":
			kind = goRole(word, body)
		case "{%":
			closing, kind = "%}", control
			if word == "include" || word == "extends" {
				kind = output
			} else if strings.HasPrefix(word, "end") {
				kind = comment
			}
		case "<%":
			closing, kind = "%>", control
			if strings.HasPrefix(body, "=") {
				kind = output
			} else if strings.HasPrefix(body, "#") {
				kind = comment
			}
		case "{#":
			closing = "#}"
		}
		most = max(most, kind)
		i := strings.Index(text[2:], closing)
		if i < 0 {
			break
		}
		text = strings.TrimLeft(text[i+4:], "} \t\r\n")
	}
	return most
}

func goRole(word, body string) int {
	switch {
	case strings.HasPrefix(body, "/*") || word == "end":
		return comment
	case word == "if" || word == "else" || word == "range" || word == "with" || word == "define" || word == "break" || word == "continue":
		return control
	case strings.HasPrefix(body, "$"):
		name, _, assigned := strings.Cut(body, "=")
		if assigned && !strings.ContainsAny(name, "|\"(") {
			return control
		}
	}
	return output
}
