package section

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// marker is a comment that binds a table outright: "poolproof: pool=orders env=prod item=members". Each part may be
// missing.
type marker struct {
	pool Cell
	env  Cell
	item schema.Item
	at   schema.Span
}

const markerWord = "poolproof:"

// Comment reads a comment; text is what stands inside its marks and starts at byte start. A binding comment below a
// heading holds for the section, with its subsections; any other for the next table.
func (b *Builder) Comment(depth int, text string, start int) {
	lead := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	rest, ok := strings.CutPrefix(text[lead:], markerWord)
	if !ok || strings.HasPrefix(rest, "ignore") {
		return
	}
	b.leave(depth)
	at := schema.At(start+lead, start+len(strings.TrimRight(text, " \t\r\n")))
	m := &marker{at: at}
	for offset := start + lead + len(markerWord); ; {
		key, value, valueAt, next := attribute(rest)
		if key == "" {
			break
		}
		c := Cell{Text: value, At: schema.At(offset+valueAt, offset+valueAt+len(value))}
		item, known := schema.ParseItem(value)
		switch {
		case key == "pool" && value != "":
			m.pool = c
		case key == "env" && value != "":
			m.env = c
		case key == "item" && known:
			m.item = item
		default:
			b.mistaken(m, c, key)
		}
		rest, offset = rest[next:], offset+next
	}
	s := &b.sections[b.top()]
	if s.empty {
		s.marker = m
	}
	b.pending = m
}

// attribute takes one key=value or key="value" off the front; next is where the rest starts. An empty key ends.
func attribute(s string) (key, value string, valueAt, next int) {
	i := 0
	for i < len(s) && strings.IndexByte(" \t\r\n,", s[i]) >= 0 {
		i++
	}
	start := i
	for i < len(s) && strings.IndexByte(" \t\r\n,=", s[i]) < 0 {
		i++
	}
	key = s[start:i]
	if i == len(s) || s[i] != '=' {
		return key, "", i, i
	}
	i++
	closing := " \t\r\n,"
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		closing = s[i : i+1]
		i++
	}
	end := strings.IndexAny(s[i:], closing)
	if end < 0 {
		return key, s[i:], i, len(s)
	}
	return key, s[i : i+end], i, i + end + 1
}

func (b *Builder) mistaken(m *marker, c Cell, key string) {
	b.draft(m, nil).copy.Report(schema.Problem{
		Rule: "schema/invalid", Severity: schema.Warning, At: m.at, Field: key, Got: c.Text,
		Text: schema.Textf("%s is no part of a binding comment", "绑定注释中不能有 %s", strings.TrimSpace(key+" "+c.Text)),
		Hint: schema.Textf("a binding comment holds pool=NAME, env=NAME and item=members|probe|cooldown|ramp, each if it is needed", "绑定注释中可写 pool=池名、env=环境、item=members|probe|cooldown|ramp，按需填写"),
	})
}

// marked returns what the comments say that bind the next table, or nil: the comment of the table itself, and for what
// it leaves open those of the enclosing sections, the innermost first.
func (b *Builder) marked() *marker {
	m, own := b.pending, false
	for i := b.top(); i > 0; i = b.sections[i].parent {
		outer := b.sections[i].marker
		switch {
		case outer == nil || outer == m:
			continue
		case m == nil:
			m = outer
			continue
		}
		if (m.pool.Text != "" || outer.pool.Text == "") && (m.env.Text != "" || outer.env.Text == "") {
			continue
		}
		if !own {
			joined := *m
			m, own = &joined, true
		}
		if m.pool.Text == "" {
			m.pool = outer.pool
		}
		if m.env.Text == "" {
			m.env = outer.env
		}
	}
	return m
}
