package change

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func itoa(n int) string { return strconv.Itoa(n) }

// mark is a line that begins or ends a generated section.
type mark struct {
	begin      bool
	name, hash string
}

const (
	markOpen  = "<!-- poolproof:"
	markClose = "-->"
)

// parseMark reads a line that has nothing else on it.
func parseMark(line []byte) (mark, bool) {
	rest, ok := strings.CutPrefix(string(line), markOpen)
	if !ok {
		return mark{}, false
	}
	if rest, ok = strings.CutSuffix(rest, markClose); !ok {
		return mark{}, false
	}
	words := strings.Fields(rest)
	switch {
	case len(words) >= 2 && words[0] == "begin":
		m := mark{begin: true, name: words[1]}
		if len(words) > 2 {
			m.hash = words[2]
		}
		return m, true
	case len(words) == 2 && words[0] == "end":
		return mark{name: words[1]}, true
	}
	return mark{}, false
}

// section is a generated part of a text: text[start:end] with its marks, content without them.
type section struct {
	mark
	start, end int
	content    schema.Span
}

// sections finds the generated parts below the front matter. One that does not end is none.
func sections(text []byte, from int) []section {
	var out []section
	var open *section
	for at := from; at < len(text); {
		line, next := lineAt(text, at)
		switch m, ok := parseMark(line); {
		case !ok:
		case m.begin:
			open = &section{mark: m, start: at, content: schema.At(next, next)}
		case open != nil && m.name == open.name:
			open.content, open.end = schema.At(int(open.content.Start), at), next
			out = append(out, *open)
			open = nil
		}
		at = next
	}
	return out
}
