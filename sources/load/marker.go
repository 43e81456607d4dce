package load

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Marker is a comment in a file that silences a judgement:
// "poolproof:ignore RULE until=2026-12-31 by=NAME because=...".
type Marker struct {
	At   schema.Span
	Text string // what follows "poolproof:ignore", up to the end of the line
}

const markerWord = "poolproof:ignore"

// maxMarkers bounds the markers of one file.
const maxMarkers = 1000

// openers are what comments start with, in the formats that are read.
var openers = []string{"#", "//", "/*", "*", ";", "--", "<!--", "{#"}

// markers finds the markers of a file. The word counts only right behind the start of a comment, so that a text which
// speaks of markers is none; in Markdown that is an HTML comment outside code blocks.
func markers(data []byte, format string) []Marker {
	if !bytes.Contains(data, []byte(markerWord)) {
		return nil
	}
	starts := openers
	if format == "markdown" {
		starts = []string{"<!--"}
	}
	var out []Marker
	fence := ""
	offset := 0
	for line := range bytes.Lines(data) {
		start := offset
		offset += len(line)
		if format == "markdown" {
			if fence = fenced(fence, line); fence != "" {
				continue
			}
		}
		before, after, ok := bytes.Cut(line, []byte(markerWord))
		if !ok || len(out) == maxMarkers || !endsWithAny(string(bytes.TrimSpace(before)), starts) {
			continue
		}
		after = bytes.TrimRight(after, "\r\n")
		from := start + len(before)
		out = append(out, Marker{schema.At(from, from+len(markerWord)+len(after)), string(after)})
	}
	return out
}

func endsWithAny(s string, ends []string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// fenced returns the fence of the code block that goes on behind a line of Markdown, "" outside.
func fenced(open string, line []byte) string {
	text := strings.TrimLeft(string(line[:min(len(line), 80)]), " ")
	n := len(text) - len(strings.TrimLeft(text, text[:min(1, len(text))]))
	switch {
	case n < 3 || text[0] != '`' && text[0] != '~':
		return open
	case open == "":
		return text[:n]
	case text[0] == open[0] && n >= len(open) && strings.TrimSpace(text[n:]) == "":
		return ""
	}
	return open
}
