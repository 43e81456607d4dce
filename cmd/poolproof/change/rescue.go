package change

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/sources/data"
)

// What people wrote where this program writes anew is not theirs to lose: comments in generated keys and lines in generated
// sections find a place beside them.

// edited reports whether the content of a section is not what was generated. A hash of another kind cannot tell.
func (s *section) edited(content string) bool {
	return len(s.hash) == len(hash(nil, "", "")) && !strings.HasSuffix(s.hash, seal8(content))
}

// added are the lines of an edited section that its generated text has no place for. same says that nothing else changed since
// it was generated: then every other line is of people; else rows of tables that begin with a code span, as the generated ones do,
// are taken for old ones.
func added(content, fresh string, same bool) []string {
	here := map[string]int{}
	for line := range strings.Lines(fresh) {
		here[bare(line)]++
	}
	var out []string
	for line := range strings.Lines(content) {
		switch b := bare(line); {
		case here[b] > 0:
			here[b]--
		case b == "" && len(out) == 0:
		case !same && strings.HasPrefix(b, "| `") && strings.HasSuffix(b, "|"):
		case strings.Trim(b, "|-: ") == "" && b != "": // the rule below a table's header, as a formatter writes it
		default:
			out = append(out, strings.TrimRight(line, "\r\n"))
		}
	}
	for len(out) > 0 && bare(out[len(out)-1]) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// bare is a line as people see it: a formatter of Markdown pads the cells of tables.
func bare(line string) string { return strings.Join(strings.Fields(line), " ") }

// comments are the comments between two positions, those behind a value too. skip leaves out lines by where they start.
func comments(text []byte, from, to int, skip func(at int) bool) []string {
	var out []string
	for at := from; at < to; {
		line, next := lineAt(text, at)
		c := comment(line)
		todo := bytes.HasSuffix(bytes.TrimRight(line[:len(line)-len(c)], " \t"), []byte(" TODO")) // this program's own
		if c != "" && !todo && (skip == nil || !skip(at)) {
			out = append(out, c)
		}
		at = next
	}
	return out
}

// comment is the comment of a line of YAML, with its mark; empty for none.
func comment(line []byte) string {
	quote := byte(0)
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote && !(quote == '"' && escaped(line, i)) {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || bytes.IndexByte([]byte(" \t[{,:("), line[i-1]) >= 0 || c == '\'' && line[i-1] == c { // '' stands for one
				quote = c
			}
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return string(line[i:])
		}
	}
	return ""
}

// escaped reports whether the byte at a place stands behind an odd number of backslashes.
func escaped(line []byte, at int) bool {
	n := 0
	for at > n && line[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// renewed writes a key anew, with the comments that people put into it: those of a list of pools above it, others below its
// first line.
func (o *Order) renewed(key string, old *kept, text []byte, start, end int) string {
	fresh := o.block(key, old)
	if key == "items" {
		return fresh // it has its own
	}
	var b strings.Builder
	first, rest, _ := strings.Cut(fresh, "\n")
	notes, indent := comments(text, start, end, nil), "  "
	if rest == "" {
		indent = ""
	} else {
		b.WriteString(first + "\n")
	}
	for _, c := range notes {
		b.WriteString(indent + c + "\n")
	}
	if rest == "" {
		b.WriteString(fresh)
	} else {
		b.WriteString(rest)
	}
	return b.String()
}

// ownLine are the lines that hold what people wrote of a side: their comments stay with it.
func ownLine(text []byte, sides *data.Node) map[int]bool {
	at := map[int]bool{}
	if sides == nil {
		return at
	}
	for i := range sides.Pairs {
		if v := sides.Pairs[i].Value; v != nil && v.Kind == data.Map && v.At.Start < v.At.End && text[v.At.Start] == '{' {
			at[bytes.LastIndexByte(text[:v.At.Start], '\n')+1] = true
		}
	}
	return at
}
