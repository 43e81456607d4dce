package data

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// maxUndefined bounds how many aliases of no anchor are reported.
const maxUndefined = 20

// dropAliases reports aliases that name no anchor above them and returns the text with null in their places, since
// yaml.v3 gives up the whole document for one of them without saying where it stands.
func (d *decoding) dropAliases(text string) string {
	scan := diagnosis{lexer: lexer{s: text}}
	for pos := 0; pos < len(text) && scan.fault == nil; {
		pos = scan.line(pos)
	}
	known := map[string]bool{}
	out := []byte(text)
	d.undefined = map[int]int{}
	for _, n := range scan.names {
		word := text[n.start+1 : n.end]
		switch {
		case text[n.start] == '&':
			known[word] = true
		case text[n.start] == '*' && !known[word]:
			d.undefined[n.start] = n.end
			out[n.start] = '~'
			for i := n.start + 1; i < n.end; i++ {
				out[i] = ' '
			}
			if len(d.undefined) <= maxUndefined {
				d.problems.add(unknownAlias(d.at(n.start, n.end)))
			}
		}
	}
	return string(out)
}

// unknownAlias does not repeat the name: it may be a password that starts with a star.
func unknownAlias(at schema.Span) schema.Problem {
	return schema.Problem{
		Rule: "source/syntax", At: at,
		Text: schema.Textf("this alias names no anchor above it in this document", "此别名在本文档上文中没有对应的锚点"),
		Hint: schema.Textf("define the anchor above, in the same file and document; if a text was meant, quote it", "请在同一文件、同一文档的上文定义锚点；若本意是文本，请加引号"),
	}
}

// syntaxError says where and why yaml.v3 refuses the document.
func (d *decoding) syntaxError(err error) schema.Problem {
	if strings.Contains(err.Error(), "exceeded max depth") {
		return tooDeep(d.at(d.deepest()))
	}
	if f := diagnose(d.text); f != nil {
		p := schema.Problem{Rule: "source/syntax", At: d.at(f.start, min(f.end, len(d.text))), Text: f.text, Hint: f.hint}
		if f.note != nil {
			n := *f.note
			n.At = d.at(int(n.At.Start), int(n.At.End))
			p.Related = []schema.Note{n}
		}
		return p
	}
	line, message := errorLine(err)
	start := d.offset(max(line, 1), 1)
	for start < len(d.text) && d.text[start] == ' ' {
		start++
	}
	end := start
	for end < len(d.text) && breakLen(d.text, end) == 0 {
		end++
	}
	if start == end && start > 0 {
		start-- // the end of the file: show its last byte
	}
	return schema.Problem{Rule: "source/syntax", At: d.at(start, end), Text: schema.Textf("not valid YAML: %s", "不是合法的 YAML：%s", message)}
}

// deepest returns the place of the bracket or dash that is nested too deeply.
func (d *decoding) deepest() (start, end int) {
	depth := 0
	for i := 0; i < len(d.text); i++ {
		switch d.text[i] {
		case '[', '{', '-', '?':
			if depth++; depth > maxDepth {
				return i, i + 1
			}
		case ']', '}', '\n':
			depth = max(0, depth-1)
		}
	}
	return 0, min(1, len(d.text))
}

// errorLine takes the line and the message from an error of yaml.v3. Its parser, unlike its scanner, counts lines from
// zero; line is 0 where the error names none.
func errorLine(err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	number, rest, ok := strings.Cut(strings.TrimPrefix(message, "line "), ": ")
	if !ok || !strings.HasPrefix(message, "line ") {
		return 0, message
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0, message
	}
	for _, parser := range []string{"did not find expected key", "did not find expected '-'", "did not find expected ','", "did not find expected node", "did not find expected <", "found undefined tag", "did not find expected '"} {
		if strings.HasPrefix(rest, parser) {
			n++
			break
		}
	}
	return n, rest
}
