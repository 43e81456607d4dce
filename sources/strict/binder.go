package strict

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// Binder turns accepted values of a document into values of a copy. Values that are templates, hazards or refused become
// unresolved ones.
type Binder struct {
	File *File
	Copy *schema.Copy
}

// usable reports whether the value of n can be read. What cannot is recorded as unresolved under p. Text that was folded
// is warned of.
func (b *Binder) usable(p schema.Path, n *data.Node) bool {
	if n == nil {
		return false
	}
	if b.File.marks == nil {
		return true
	}
	m, marked := b.File.marks[n]
	if !marked {
		return true
	}
	switch m.fate {
	case template:
		b.Copy.Unresolve(p, m.raw, n.Place())
		b.touch(p, n.Place())
		return false
	case hazard:
		problem := m.was
		problem.Item, problem.Field = p.Item(), p.Leaf()
		b.Copy.Report(problem)
		b.quiet(p, n)
		return false
	case refused:
		b.quiet(p, n)
		return false
	case warned:
		problem := m.was
		problem.Item, problem.Field = p.Item(), p.Leaf()
		b.Copy.Report(problem)
	case wide:
		b.Copy.Report(schema.Problem{
			Rule: "source/scalar-hazard", Severity: schema.Warning, At: n.Place(), Item: p.Item(), Field: p.Leaf(), Got: m.raw, Want: n.Text,
			Text: schema.Textf("%q is written with full-width characters; read as %q", "%q 含全角字符；按 %q 读取", m.raw, n.Text),
			Hint: schema.Textf("write it as %s", "请写成 %s", n.Text),
		})
	}
	return true
}

// quiet records a value that another finding speaks of.
func (b *Binder) quiet(p schema.Path, n *data.Node) {
	at := n.Place()
	b.Copy.Unresolved = append(b.Copy.Unresolved, schema.Unresolved{Path: p, Raw: n.Text, At: at, Quiet: true})
	b.touch(p, at)
}

func (b *Binder) touch(p schema.Path, at schema.Span) {
	if i := p.Item(); i != schema.NoItem {
		b.Copy.Touch(i, at)
	}
}

// refuse reports a value that the grammar accepts and that still cannot be what it should be.
func (b *Binder) refuse(p schema.Path, n *data.Node, text, hint schema.Text) {
	b.Copy.Report(schema.Problem{Rule: "schema/invalid", At: n.Place(), Item: p.Item(), Field: p.Leaf(), Got: n.Text, Text: text, Hint: hint})
	b.quiet(p, n)
}

// Duration binds a length of time.
func (b *Binder) Duration(p schema.Path, n *data.Node) {
	if d, ok := b.duration(p, n); ok {
		b.Copy.Set(p, schema.DurationOf(d), n.Place())
	}
}

func (b *Binder) duration(p schema.Path, n *data.Node) (time.Duration, bool) {
	if !b.usable(p, n) {
		return 0, false
	}
	d, err := schema.ParseDuration(n.Text)
	if err != nil {
		// The grammar bounds the form, not the length.
		b.refuse(p, n, schema.Textf("%s: %s is longer than 292 years", "%s：%s 超过 292 年", p, clip(n.Text)), schema.Text{})
		return 0, false
	}
	return d, true
}

// Int binds a whole number.
func (b *Binder) Int(p schema.Path, n *data.Node) {
	if i, ok := b.int(p, n); ok {
		b.Copy.Set(p, schema.IntOf(i), n.Place())
	}
}

func (b *Binder) int(p schema.Path, n *data.Node) (int64, bool) {
	if !b.usable(p, n) {
		return 0, false
	}
	i, ok := ParseInt(n.Text)
	if !ok {
		b.refuse(p, n, schema.Textf("%s: %s is beyond 64 bits", "%s：%s 超出 64 位", p, clip(n.Text)), schema.Text{})
	}
	return i, ok
}

// ParseInt reads a whole number as YAML writes it: decimal (also with leading zeros), 0x and 0o.
func ParseInt(s string) (int64, bool) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, true
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o") {
		i, err := strconv.ParseInt(s, 0, 64)
		return i, err == nil
	}
	return 0, false
}

// Number binds a number that may have a fraction.
func (b *Binder) Number(p schema.Path, n *data.Node) {
	if f, ok := b.number(p, n); ok {
		b.Copy.Set(p, schema.NumberOf(f), n.Place())
	}
}

func (b *Binder) number(p schema.Path, n *data.Node) (float64, bool) {
	if !b.usable(p, n) {
		return 0, false
	}
	f, ok := ParseNumber(n.Text)
	if !ok {
		b.refuse(p, n, schema.Textf("%s: %s is out of range", "%s：%s 超出范围", p, clip(n.Text)), schema.Text{})
	}
	return f, ok
}

// ParseNumber reads a number as YAML writes it.
func ParseNumber(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err == nil {
		return f, true
	}
	i, ok := ParseInt(s)
	return float64(i), ok
}

// Bool binds true or false.
func (b *Binder) Bool(p schema.Path, n *data.Node) {
	if b.usable(p, n) {
		b.Copy.Set(p, schema.BoolOf(isTrue(n)), n.Place())
	}
}

func isTrue(n *data.Node) bool { return strings.EqualFold(n.Text, "true") }

// Text binds one of several fixed texts, or a text in which full-width characters are slips (a host, a path).
func (b *Binder) Text(p schema.Path, n *data.Node) {
	if b.usable(p, n) {
		b.Copy.Set(p, schema.TextOf(n.Text), n.Place())
	}
}

// Free binds a text of people's own, which may well hold full-width characters.
func (b *Binder) Free(p schema.Path, n *data.Node) {
	if n == nil {
		return
	}
	if m := b.File.markOf(n); m.fate == wide {
		b.Copy.Set(p, schema.TextOf(m.raw), n.Place())
		return
	}
	b.Text(p, n)
}

// Texts binds a list of scalars; entries that cannot be read are left out and recorded.
func (b *Binder) Texts(p schema.Path, n *data.Node) {
	if list, ok := b.texts(p, n); ok {
		b.Copy.Set(p, schema.ListOf(list...), n.Place())
	}
}

func (b *Binder) texts(p schema.Path, n *data.Node) ([]string, bool) {
	if !b.usable(p, n) || n.Kind != data.List {
		return nil, false
	}
	list := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		switch m := b.File.markOf(item); m.fate {
		case wide:
			list = append(list, m.raw)
		case template, hazard, refused:
			b.usable(p, item)
			// A list that is known in part is not the list.
			return nil, false
		default:
			list = append(list, item.Text)
		}
	}
	return list, true
}

// maxShown is how many bytes of a value messages show.
const maxShown = 60

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	cut := maxShown
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}
