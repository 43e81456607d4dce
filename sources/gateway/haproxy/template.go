package haproxy

import "strings"

// Template marks may stand anywhere in a line: {{ }} and {% %} of Jinja, Go, Helm, confd, Consul and Handlebars, <% %>
// of ERB, EPP and EJS, %{ } of Terraform, <#x> of FreeMarker, {# #} comments, and ${ } of all of them. A mark is one
// piece of text whatever spaces, quotes and '#' it holds.

// markKind says what a mark does.
type markKind uint8

const (
	output  markKind = iota // stands for text
	silent                  // a comment or assignment: stands for nothing
	opens                   // opens a block
	branchs                 // else
	shuts                   // closes a block
	insert                  // stands for any number of lines
)

type mark struct {
	end   int // offset behind the mark
	kind  markKind
	block blockKind
}

// maxMark, maxBrace and maxComment bound marks, so that a stray opening never swallows a file.
const (
	maxMark    = 4 << 10
	maxBrace   = 512
	maxComment = 64 << 10
)

// closers remembers where the next closing mark of each kind stands, so that looking for them stays linear.
type closers [6]int

var closing = [...]string{"}}", "%}", "#}", "%>", "}", ">"}

// next returns the offset of the closing mark of a kind at or after from, -1 if there is none.
func (c *closers) next(text string, kind, from int) int {
	if c[kind] < from && c[kind] >= 0 {
		if i := strings.Index(text[from:], closing[kind]); i >= 0 {
			c[kind] = from + i
		} else {
			c[kind] = -1
		}
	}
	return c[kind]
}

// markAt reads the mark that starts at text[i], which is '{', '<', '%' or '$'.
func (c *closers) markAt(text string, i int) (mark, bool) {
	if i+2 >= len(text) {
		return mark{}, false
	}
	kind, limit := 0, maxMark
	switch text[i : i+2] {
	case "{{":
	case "{%":
		kind = 1
	case "{#":
		kind, limit = 2, maxComment
	case "<%":
		kind = 3
	case "%{", "${":
		kind, limit = 4, maxBrace
	case "<#", "</":
		kind, limit = 5, maxBrace
	default:
		return mark{}, false
	}
	end := c.next(text, kind, i+2)
	if end < 0 || end-i > limit {
		return mark{}, false
	}
	inner := text[i+2 : end]
	end += len(closing[kind])
	m := mark{}
	ok := true
	switch kind {
	case 0:
		if strings.HasPrefix(inner, "{") && strings.HasPrefix(text[end:], "}") { // {{{ }}} of Handlebars
			inner, end = inner[1:], end+1
		}
		m.kind, m.block = goMark(inner)
	case 1:
		m.kind, m.block, ok = jinjaMark(inner)
	case 2:
		m.kind = silent
	case 3:
		m.kind, m.block = erbMark(inner)
	case 4:
		if text[i] == '$' {
			m.kind, ok = output, strings.IndexByte(inner, '\n') < 0
			break
		}
		if m.kind, m.block, ok = jinjaMark(inner); m.kind == silent || m.kind == insert {
			ok = false
		}
	case 5:
		m.kind, m.block, ok = freeMark(text[i:end])
	}
	m.end = end
	return m, ok
}

// head splits the first word off a mark's text, without trim marks.
func head(inner string) (word, rest string) {
	inner = strings.TrimLeft(inner, "-+~ \t\r\n")
	i := 0
	for i < len(inner) && (inner[i] == '_' || inner[i] >= 'a' && inner[i] <= 'z' || inner[i] >= 'A' && inner[i] <= 'Z') {
		i++
	}
	return inner[:i], strings.TrimLeft(inner[i:], " \t")
}

// goMark reads {{ }}: Go templates and their kin, Handlebars; of Jinja only outputs.
func goMark(inner string) (markKind, blockKind) {
	word, rest := head(inner)
	switch word {
	case "range":
		return opens, loop
	case "if", "with":
		return opens, cond
	case "define":
		return opens, loop
	case "block":
		return opens, neutral
	case "else":
		return branchs, cond
	case "end":
		return shuts, neutral
	case "template", "include", "partial":
		return insert, neutral
	case "break", "continue":
		return silent, neutral
	}
	if word != "" || rest == "" {
		return output, neutral
	}
	switch rest[0] {
	case '/':
		if strings.HasPrefix(rest, "/*") {
			return silent, neutral
		}
		return shuts, neutral
	case '!':
		return silent, neutral
	case '>':
		return insert, neutral
	case '^':
		return branchs, cond
	case '#':
		if word, _ := head(rest[1:]); word == "if" || word == "unless" || word == "with" {
			return opens, cond
		}
		return opens, loop
	case '$':
		name, after, _ := strings.Cut(rest, "=")
		if after != "" && strings.TrimRight(strings.TrimRight(name, ":"), " \t") != "" && !strings.HasPrefix(after, "=") && !strings.ContainsAny(name, "|(\"") {
			return silent, neutral
		}
	}
	return output, neutral
}

// jinjaMark reads {% %}. ok is false for text that is no statement: log formats may hold "{%" too.
func jinjaMark(inner string) (kind markKind, b blockKind, ok bool) {
	word, rest := head(inner)
	switch word {
	case "for":
		return opens, loop, true
	case "macro", "call":
		return opens, loop, true
	case "if":
		return opens, cond, true
	case "else", "elif":
		return branchs, cond, true
	case "block", "filter", "with", "autoescape", "raw":
		return opens, neutral, true
	case "set":
		if strings.Contains(rest, "=") {
			return silent, neutral, true
		}
		return opens, loop, true // the block form: its text appears elsewhere
	case "include":
		return insert, neutral, true
	case "import", "from", "extends", "do", "break", "continue", "debug", "trans":
		return silent, neutral, true
	}
	if strings.HasPrefix(word, "end") {
		return shuts, neutral, true
	}
	return 0, 0, false
}

// erbMark reads <% %> of ERB, EJS and EPP.
func erbMark(inner string) (markKind, blockKind) {
	if strings.HasPrefix(inner, "=") {
		return output, neutral
	}
	if strings.HasPrefix(inner, "#") {
		return silent, neutral
	}
	word, _ := head(inner)
	body := strings.TrimRight(inner, "- \t\r\n")
	brace := strings.HasSuffix(body, "{")
	switch {
	case strings.HasPrefix(strings.TrimLeft(inner, "-_ \t"), "}"):
		if brace {
			return branchs, cond
		}
		return shuts, neutral
	case word == "end":
		return shuts, neutral
	case word == "else" || word == "elsif" || word == "when":
		return branchs, cond
	case word == "if" || word == "unless" || word == "case":
		return opens, cond
	case word == "for" || word == "while" || word == "until" || brace,
		strings.HasSuffix(body, "|") && (strings.Contains(body, " do ") || strings.Contains(body, " do|")),
		strings.HasSuffix(body, " do"):
		return opens, loop
	}
	return silent, neutral
}

// freeMark reads <#list x as y>, </#list> and their kin of FreeMarker.
func freeMark(text string) (kind markKind, b blockKind, ok bool) {
	if strings.HasPrefix(text, "</#") {
		return shuts, neutral, true
	}
	if !strings.HasPrefix(text, "<#") {
		return 0, 0, false
	}
	switch word, rest := head(text[2:]); word {
	case "list", "foreach", "macro":
		return opens, loop, true
	case "if":
		return opens, cond, true
	case "else", "elseif":
		return branchs, cond, true
	case "include":
		return insert, neutral, true
	case "assign", "local", "global":
		if strings.Contains(rest, "=") {
			return silent, neutral, true
		}
		return opens, loop, true
	case "import", "setting", "ftl", "t", "lt", "rt", "nt":
		return silent, neutral, true
	}
	return 0, 0, false
}

// statement handles a line of Mako or of Jinja's line statements ("% for x in y:"); ok is false for other lines.
func (s *scanner) statement(l *line) (ok bool) {
	text, ok := strings.CutPrefix(l.words[0].text, "%")
	if !ok {
		return false
	}
	if text == "" && len(l.words) > 1 {
		text = l.words[1].text
	}
	kind, b, ok := jinjaMark(text + " =")
	if ok {
		s.template = true
		s.apply(mark{kind: kind, block: b})
	}
	return ok
}
