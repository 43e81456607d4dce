// Package markdown reads pools out of the tables of Markdown documents: which tables there are is for this package,
// what they mean for package section.
//
// The block structure is CommonMark's with the tables of GitHub Flavored Markdown; a differential test holds it to
// goldmark's. Only what tables, headings and comments need is parsed, and prose is not read.
package markdown

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// Adapter returns the adapter for Markdown documents.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "markdown",
		Sides:   []schema.Side{schema.Doc},
		Version: 4,
		Detect:  detect,
		Read:    read,
	}
}

// maxDetect bounds what is looked at to recognise a file.
const maxDetect = 32 << 10

// detect goes by the file's name: headings and tables of pipes are not Markdown's alone. Change orders are Markdown
// files too, and belong to their own adapter.
func detect(path string, data []byte) sources.Confidence {
	dot := strings.LastIndexByte(path, '.')
	switch strings.ToLower(path[dot+1:]) {
	case "md", "markdown", "mkd", "mdown":
	default:
		return sources.Unlikely
	}
	data = data[:min(len(data), maxDetect)]
	if front := frontMatter(data); bytes.Contains(data[:front], []byte("poolproof:")) && bytes.Contains(data[:front], []byte("change-order/")) {
		return sources.Unlikely
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) > 1 && line[0] == '#' || isRule(string(line)) {
			return sources.Likely
		}
	}
	return sources.Possible
}

func read(in sources.Input) sources.Result {
	out := section.New(in, "markdown", nil)
	p := parser{out: out, src: string(in.Data)}
	start := 0
	if bytes.HasPrefix(in.Data, []byte("\uFEFF")) {
		start = len("\uFEFF")
	}
	p.parse(start + frontMatter(in.Data[start:]))
	r := out.Result()
	if start > 0 && len(r.Copies) > 0 {
		r.Copies[0].Report(section.ByteOrderMark())
	}
	return r
}

// frontMatter returns the length of the block of metadata at the start of a file, between lines of --- or +++; 0 if
// there is none or it does not end.
func frontMatter(data []byte) int {
	var fence string
	at := 0
	for line := range bytes.Lines(data) {
		text := string(bytes.TrimRight(line, " \t\r\n"))
		switch {
		case at == 0 && text != "---" && text != "+++":
			return 0
		case at == 0:
			fence = text
		case text == fence, fence == "---" && text == "...":
			return at + len(line)
		}
		at += len(line)
	}
	return 0
}
