package configmap

import (
	"bytes"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// entry is one file that a ConfigMap carries.
type entry struct {
	name       string
	keyAt      schema.Span
	start, end int    // of its lines in the file that holds the ConfigMap
	text       []byte // without the indentation of the block
	marks      []int  // starts of lines that hold the mark of a YAML document, and nothing before it
}

// Bounds on files that were made to be costly: each entry is read on its own.
const (
	maxEntries = 64
	maxBytes   = 4 << 20 // of a file with several entries
)

// entries lists the literal blocks of the ConfigMaps in a file.
func entries(file data.File, text []byte) []entry {
	var out []entry
	for i := range file.Documents {
		out = collect(out, file.Documents[i].Root, text, 0)
	}
	if len(text) > maxBytes {
		out = out[:min(len(out), 1)]
	}
	return out
}

func collect(out []entry, n *data.Node, text []byte, depth int) []entry {
	kind := n.Get("kind")
	switch {
	case kind == nil || !kind.Scalar() || depth > 2:
	case kind.Text == "List":
		if items := n.Get("items"); items != nil {
			for _, item := range items.Items {
				out = collect(out, item, text, depth+1)
			}
		}
	case kind.Text == "ConfigMap":
		values := n.Get("data")
		if values == nil || values.Kind != data.Map {
			return out
		}
		for i := range values.Pairs {
			p := &values.Pairs[i]
			if e, ok := block(p, text); ok && len(out) < maxEntries {
				out = append(out, e)
			}
		}
	}
	return out
}

// block returns the literal block of an entry.
func block(p *data.Pair, text []byte) (e entry, ok bool) {
	n := p.Value
	if p.Merged || n.Style != data.Block || n.Alias.Known() || int(n.At.End) > len(text) || text[n.At.Start] != '|' {
		return e, false
	}
	head := bytes.IndexByte(text[n.At.Start:n.At.End], '\n')
	if head < 0 {
		return e, false
	}
	e = entry{name: p.Key, keyAt: p.KeyAt, start: int(n.At.Start) + head + 1, end: int(n.At.End)}
	if rest := bytes.IndexByte(text[e.end:], '\n'); rest >= 0 && !bytes.Contains(text[n.At.Start:int(n.At.Start)+head], []byte("-")) {
		e.end += rest + 1
	}
	e.dedent(text)
	return e, true
}

// dedent takes off the indentation, which is that of the first line that is not blank.
func (e *entry) dedent(text []byte) {
	indent := -1
	for pos := e.start; pos < e.end; {
		next := e.end
		if i := bytes.IndexByte(text[pos:e.end], '\n'); i >= 0 {
			next = pos + i + 1
		}
		line := text[pos:next]
		content := bytes.TrimLeft(line, " ")
		if indent < 0 && len(bytes.TrimSpace(content)) > 0 {
			indent = len(line) - len(content)
		}
		own := line[min(len(line)-len(content), max(indent, 0)):]
		if bytes.HasPrefix(own, []byte("---")) || bytes.HasPrefix(own, []byte("...")) {
			e.marks = append(e.marks, pos)
		}
		e.text = append(e.text, own...)
		pos = next
	}
}

// inPlace returns a text in which the entry stands where it stands in the file, with blanks above it, so that every place
// in it is one of the file. The lines keep the indentation of the block, which no format minds that is read here, but for
// the marks of YAML documents, which must stand at the margin.
func (e *entry) inPlace(file []byte) []byte {
	text := bytes.Repeat([]byte(" "), e.end)
	text[e.start-1] = '\n'
	copy(text[e.start:], file[e.start:e.end])
	for _, at := range e.marks {
		line := text[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		content := bytes.TrimLeft(line, " ")
		indent := len(line) - len(content)
		copy(line, content)
		for i := len(line) - indent; i < len(line); i++ {
			line[i] = ' '
		}
	}
	return text
}
