// Package asciidoc reads pools out of the tables of AsciiDoc documents: which tables there are is for this package,
// what they mean for package section.
package asciidoc

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// Adapter returns the adapter for AsciiDoc documents.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "asciidoc",
		Sides:   []schema.Side{schema.Doc},
		Version: 4,
		Detect:  detect,
		Read:    read,
	}
}

// maxDetect bounds what is looked at to recognise a file.
const maxDetect = 32 << 10

// detect goes by the file's name, as its marks are not AsciiDoc's alone.
func detect(path string, data []byte) sources.Confidence {
	dot := strings.LastIndexByte(path, '.')
	switch strings.ToLower(path[dot+1:]) {
	case "adoc", "asciidoc", "asc":
	default:
		return sources.Unlikely
	}
	for line := range bytes.Lines(data[:min(len(data), maxDetect)]) {
		text := string(bytes.TrimRight(line, " \t\r\n"))
		if level, _ := heading(text); level > 0 || isDelimiter(text, '|') {
			return sources.Likely
		}
	}
	return sources.Possible
}

func read(in sources.Input) sources.Result {
	out := section.New(in, "asciidoc", isAttribute)
	p := parser{out: out, src: string(in.Data)}
	start := 0
	if strings.HasPrefix(p.src, "\uFEFF") {
		start = len("\uFEFF")
	}
	p.parse(start)
	r := out.Result()
	if start > 0 && len(r.Copies) > 0 {
		r.Copies[0].Report(section.ByteOrderMark())
	}
	return r
}

// isAttribute reports whether a text refers to an attribute of the document, {name}, which is not resolved here.
func isAttribute(text string) bool {
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		n := 0
		for n < len(text) && (isWord(text[n]) || text[n] == '-' && n > 0) {
			n++
		}
		if n > 0 && n < len(text) && text[n] == '}' {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
