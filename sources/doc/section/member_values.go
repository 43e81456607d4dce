package section

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// port reads the column of ports. It reports false where the member cannot be told without it.
func (d *draft) port(m *schema.Member, c Cell) bool {
	p := d.member("port")
	unresolved := len(d.copy.Unresolved)
	text, ok := d.said(p, c)
	if !ok {
		return len(d.copy.Unresolved) == unresolved // nothing is said, and the address may hold the port
	}
	for _, protocol := range []string{"/tcp", "/http", "/https", "/grpc"} {
		text = strings.TrimSuffix(text, protocol)
	}
	n, number := digits(text)
	_, offset := digits(strings.TrimLeft(text, "+-"))
	switch {
	case number && n >= 1 && n <= 65535:
		if m.Port != 0 && !m.PortImplied && int(m.Port) != n {
			d.refuse(p, c, "schema/invalid",
				schema.Textf("port %d is written behind the address and %d in the column of ports", "地址后写的端口是 %d，端口列是 %d", m.Port, n), schema.Text{})
			return false
		}
		m.Port, m.PortImplied, m.PortAt = uint16(n), false, c.At
	case m.Port == 0 && (text == "client" || offset && !number):
		m.PortText, m.PortAt = text, c.At
	default:
		d.refuse(p, c, "schema/invalid", schema.Textf("port %q is no number from 1 to 65535", "端口 %q 不是 1 到 65535 的数", c.Text), schema.Text{})
		return false
	}
	return true
}

// rest reads everything of a row but who the member is.
func (r *reader) rest(d *draft, m *schema.Member, row *Row, c *memberColumns) {
	before := len(d.copy.Problems)
	if n, ok := d.weight(row.cell(c.weight)); ok {
		m.Weight, m.HasWeight, m.WeightAt = n, true, row.cell(c.weight).At
	}
	priority := row.cell(c.priority)
	if len(priority.Text) > 1 && (priority.Text[0] == 'P' || priority.Text[0] == 'p') { // P0, P1, ...
		priority.Text = priority.Text[1:]
	}
	if n, ok := d.amount(d.member("priority"), priority); ok {
		m.Priority, m.HasPriority, m.PriorityAt = n, true, priority.At
	}
	d.backup(m, row.cell(c.backup), false)
	d.backup(m, row.cell(c.role), true)
	d.state(m, row.cell(c.state))
	d.state(m, row.cell(c.enabled))
	d.extra(m, "name", row.cell(c.name))
	for _, e := range c.extras {
		cell := row.cell(e.column)
		switch e.kind {
		case schema.Int:
			if n, ok := d.amount(d.member(string(e.path)), cell); ok {
				m.Extra = append(m.Extra, schema.Field{Path: e.path, Value: schema.IntOf(n), At: cell.At})
			}
		case schema.List:
			if text, ok := d.said(d.member(string(e.path)), cell); ok {
				m.Extra = append(m.Extra, schema.Field{Path: e.path, Value: schema.ListOf(splitList(text)...), At: cell.At})
			}
		default:
			d.extra(m, e.path, cell)
		}
	}
	if since := row.cell(c.since); !d.lex.Nothing(since.Text) {
		if t, err := r.b.time(since.Text); err == nil {
			d.since(t, since.At)
		} else {
			d.untimed(since)
		}
	}
	for i := before; i < len(d.copy.Problems); i++ {
		d.copy.Problems[i].Member = m.ID()
	}
}

// weight reads a weight, which documents may write as a percentage: weights are relative.
func (d *draft) weight(c Cell) (int64, bool) {
	if c.Text != "" && c.Text[len(c.Text)-1] == '%' {
		if f, _, err := d.lex.Share(c.Text); err == nil && f == float64(int64(f)) {
			return int64(f), true
		}
	}
	return d.amount(d.member("weight"), c)
}

// amount reads a whole number that is not negative, without setting it.
func (d *draft) amount(p place, c Cell) (int64, bool) {
	text, ok := d.said(p, c)
	if !ok {
		return 0, false
	}
	if n, ok := digits(text); ok { // the common case
		return int64(n), true
	}
	n, err := d.lex.Count(text)
	if err != nil {
		d.notACount(p, c, err)
		return 0, false
	}
	return n, true
}

// digits reads a short number that is nothing but digits.
func digits(s string) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != "" && len(s) < 10
}

// splitList splits a list of names.
func splitList(s string) []string {
	var out []string
	for {
		first, rest := cutList(s)
		if first = strings.Trim(first, "` "); first != "" {
			out = append(out, first)
		}
		if rest == "" {
			return out
		}
		s = rest
	}
}

// extra keeps a text that the model has no place of its own for.
func (d *draft) extra(m *schema.Member, p schema.Path, c Cell) {
	if text, ok := d.said(d.member(string(p)), c); ok {
		m.Extra = append(m.Extra, schema.Field{Path: p, Value: schema.TextOf(text), At: c.At})
	}
}

// backup reads yes or no, or a role such as standby; other roles are kept as they are.
func (d *draft) backup(m *schema.Member, c Cell, role bool) {
	text, ok := d.said(d.member("backup"), c)
	if !ok {
		return
	}
	yes, known := d.lex.Flag(text)
	switch {
	case known:
		m.Backup, m.BackupAt = schema.TriOf(yes), c.At
	case role:
		m.Extra = append(m.Extra, schema.Field{Path: "role", Value: schema.TextOf(text), At: c.At})
	default:
		d.unknownWord("backup", c, m, "yes, no", "是、否")
	}
}

func (d *draft) state(m *schema.Member, c Cell) {
	text, ok := d.said(d.member("state"), c)
	if !ok {
		return
	}
	if s, known := d.lex.State(text); known {
		m.State, m.StateAt = s, c.At
		return
	}
	d.unknownWord("state", c, m, "active, drain, disabled", "启用、排空、停用")
}

// unknownWord warns about a word that a column of few words does not know. It is kept, and compared with nothing.
func (d *draft) unknownWord(p schema.Path, c Cell, m *schema.Member, en, zh string) {
	d.copy.Report(schema.Problem{
		Rule: "schema/invalid", Severity: schema.Warning, At: c.At, Item: schema.Members, Field: string(p), Got: c.Text,
		Text: schema.Textf("%s: %q is none of the known words", "%s：%q 不是已知的词", p, c.Text),
		Hint: schema.Text{
			En: "write one of: " + en + "; or add the word to the manifest's vocabulary",
			Zh: "请写 " + zh + " 之一，或在清单的 vocabulary 中加入该词",
		},
	})
	m.Extra = append(m.Extra, schema.Field{Path: p, Value: schema.TextOf(c.Text), At: c.At})
}
