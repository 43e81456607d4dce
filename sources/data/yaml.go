package data

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/schema"
)

// YAML reads a stream of YAML documents.
func YAML(src []byte) File {
	var f File
	text, base := string(src), 0
	if rest, ok := strings.CutPrefix(text, bom); ok {
		text, base = rest, len(bom)
		f.Problems = append(f.Problems, byteOrderMark())
	}
	for _, c := range split(text) {
		f.document(text[c.start:c.end], base+c.start)
	}
	return f
}

func (f *File) document(text string, base int) {
	root, err := decode(text)
	if err != nil {
		f.Problems = append(f.Problems, syntaxError(text, base, err))
		return
	}
	if root == nil {
		return
	}
	r := reference{places: newPlaces(text), base: base, anchors: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}}
	d := Document{}
	start := r.offset(root.Line, root.Column)
	d.At = r.at(start, start)
	if len(root.Content) > 0 {
		n, end := r.node(root.Content[0], 1)
		if !absent(root.Content[0]) {
			d.Root = n
			d.At = r.at(start, end)
		} else if start+3 <= len(text) && marker(text, start, '-') {
			d.At = r.at(start, start+3)
		}
	}
	f.Problems = append(f.Problems, r.problems...)
	if !r.deep {
		f.Documents = append(f.Documents, d)
	}
}

// syntaxError words an error of yaml.v3.
func syntaxError(text string, base int, err error) schema.Problem {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if number, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, message = n, after
			}
		}
	}
	p := newPlaces(text)
	start := p.offset(line, 1)
	end := start
	for end < len(text) && breakLen(text, end) == 0 {
		end++
	}
	return schema.Problem{Rule: "source/syntax", At: schema.At(base+start, base+end), Text: schema.Textf("not valid YAML: %s", "不是合法的 YAML：%s", message)}
}
