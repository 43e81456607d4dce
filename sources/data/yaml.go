package data

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/schema"
)

// YAML reads a stream of YAML documents. A document that cannot be read costs none of the others. Of a template (Helm,
// Jinja, confd) what stands in it literally is read; scalars that hold expressions keep them in their text.
func YAML(src []byte) File { return readYAML(src, true) }

// readYAML reads with the fast reader what that takes, if fast is set, and the rest through yaml.v3, which takes
// everything, at its own pace. Both give the same result.
func readYAML(src []byte, fast bool) File {
	var f File
	text := string(src)
	if isUTF16(text) {
		f.report(utf16Text())
		return f
	}
	s := stream{file: &f}
	for strings.HasPrefix(text[s.base:], bom) {
		s.base += len(bom)
	}
	if s.base > 0 {
		f.report(byteOrderMark())
	}
	s.text = text[s.base:]
	s.source = s.text
	templates := hasTemplate(s.text)
	fast = fast && !templates && clean(src[s.base:])
	if !fast {
		s.makeReadable(templates)
		for _, c := range split(s.text, false) {
			s.document(c)
		}
		return f
	}
	s.readFast(src[s.base:])
	return f
}

// readFast reads with the fast reader the documents that it takes.
func (s *stream) readFast(src []byte) {
	reader := fastReader{s: s.text, src: src, base: s.base, slabs: newSlabs(len(src))}
	var chunks []chunk
	for pos := 0; pos < len(s.text); {
		d, next, ok := reader.document(pos)
		if ok {
			if d.At.Known() {
				s.file.Documents = append(s.file.Documents, d)
			}
			pos = next
			continue
		}
		if chunks == nil {
			chunks = split(s.text, true)
		}
		for len(chunks) > 0 && chunks[0].end <= pos {
			chunks = chunks[1:]
		}
		if len(chunks) == 0 {
			return
		}
		s.document(chunks[0])
		pos = chunks[0].end
	}
}

// stream is a file of YAML documents.
type stream struct {
	file   *File
	base   int     // bytes of the file before the text
	source string  // the text with its expressions
	text   string  // the text as yaml.v3 gets it
	filler *filler // nil if the file is no template
}

// makeReadable takes out of the text what no YAML reader takes.
func (s *stream) makeReadable(templated bool) {
	clean, bad := readable(s.text, s.base)
	if bad != nil {
		s.file.report(*bad)
	}
	s.source, s.text = clean, clean
	if templated {
		s.fillTemplates(templates(clean))
	}
}

// fillTemplates makes a template readable, if any of its expressions stands where YAML breaks.
func (s *stream) fillTemplates(regions []region) {
	if breaking(regions) {
		s.text, s.filler = fill(s.source, regions, false)
		s.file.report(unrendered(s.source, s.base, regions))
	}
}

// document reads one document of the stream.
func (s *stream) document(c chunk) {
	text := withoutVersion(s.text[c.start:c.end])
	d := decoding{places: newPlaces(text), base: s.base + c.start, chunk: c.start, filler: s.filler, anchors: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}}
	root, err := decode(text)
	if err != nil && strings.Contains(err.Error(), "unknown anchor") {
		if text = d.dropAliases(text); text != d.text {
			d.places = newPlaces(text)
			root, err = decode(text)
		}
	}
	if err != nil {
		if s.filler == nil {
			s.file.report(d.syntaxError(err))
		}
		return
	}
	if root == nil {
		return
	}
	document := d.document(root)
	s.file.report(d.problems...)
	if d.deep {
		return
	}
	if s.filler != nil {
		p := partial{filler: s.filler, base: s.base, text: s.text}
		if document.Root = p.node(document.Root, c.start); document.Root != nil {
			document.At = schema.Join(document.At, document.Root.At)
		}
	}
	s.file.Documents = append(s.file.Documents, document)
}

// withoutVersion blanks %YAML directives: yaml.v3 refuses version 1.2, which is what the files are in.
func withoutVersion(text string) string {
	for pos := 0; pos < len(text); {
		end := lineEnd(text, pos)
		line := text[pos:end]
		switch {
		case strings.HasPrefix(line, "%YAML 1."):
			return text[:pos] + "#" + text[pos+1:]
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" || line[0] == '%':
			pos = end
		default:
			return text
		}
	}
	return text
}

// document converts a document of yaml.v3. Its place runs from its marker, or its first value, to the end of its root.
func (d *decoding) document(root *yaml.Node) Document {
	start := d.offset(root.Line, root.Column)
	out := Document{At: d.at(start, start)}
	if start+3 <= len(d.text) && marker(d.text, start, '-') {
		out.At = d.at(start, start+3)
	}
	if len(root.Content) == 0 {
		return out
	}
	n, end := d.node(root.Content[0], 1)
	if absent(root.Content[0]) {
		return out
	}
	d.lostKey(n)
	out.Root = n
	out.At = d.at(start, end)
	return out
}
