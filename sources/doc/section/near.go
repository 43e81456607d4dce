package section

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// misspelt shows the headers of a table that are nearly known ones: their columns, or the whole table, would go unread
// without a word. Headers that are like nothing known are columns that nobody means to compare.
func (b *Builder) misspelt(m *marker, t *Table, h *header, k kind) {
	if t.Flaw != None || k == settings { // what names and values stand under is of no matter
		return
	}
	if h.near == nil {
		h.near = make([]string, len(t.Header))
		for i, c := range t.Header {
			if h.columns[i] != 0 || c.Text == "" {
				continue
			}
			if _, param := b.lex.Parameter(c.Text, schema.NoItem); param {
				continue
			}
			h.near[i], _ = b.lex.NearColumn(c.Text)
			if (k == wide || k == unknown) && h.near[i] == "" {
				h.near[i], _ = b.lex.NearParameter(c.Text, schema.NoItem)
			}
		}
	}
	if k == unknown {
		b.unread(m, t, h)
		return
	}
	for i, near := range h.near {
		if near != "" && !h.taken(b, near) {
			b.draft(m, nil).copy.Report(schema.Problem{
				Rule: "source/skipped", At: t.Header[i].At, Field: t.Header[i].Text, Got: t.Header[i].Text, Want: near,
				Text: schema.Textf("the column %q is not known and compared with nothing", "列 %q 无法识别，不参与比较", t.Header[i].Text),
				Hint: meant(near),
			})
		}
	}
}

// unread shows a table that would be read if a header of it were spelt as it probably was meant.
func (b *Builder) unread(m *marker, t *Table, h *header) {
	fixed := *t
	fixed.Header = slices.Clone(t.Header)
	fixed.HeaderText = "\x00" // no line of a file is that
	first := -1
	var list []string
	for i, near := range h.near {
		if near != "" {
			fixed.Header[i].Text = near
			list = append(list, near)
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return
	}
	as := b.header(&fixed)
	delete(b.headers, fixed.HeaderText)
	if b.kind(&fixed, as, schema.NoItem) == unknown {
		return
	}
	c := t.Header[first]
	b.draft(m, nil).copy.Report(schema.Problem{
		Rule: "source/skipped", At: c.At, Field: c.Text, Got: c.Text, Want: list[0],
		Text: schema.Textf("nothing of this table is read: the header %q is not known", "该表未被读取：表头 %q 无法识别", c.Text),
		Hint: meant(strings.Join(list, ", ")),
	})
}

// taken reports whether another column already has the meaning of a word.
func (h *header) taken(b *Builder, word string) bool {
	meaning, _ := b.lex.Column(word)
	return h.all&meaning != 0
}

// nearParameter shows a row whose name is nearly that of a known parameter.
func (d *draft) nearParameter(key Cell, near string) {
	if near == "" {
		return
	}
	d.copy.Report(schema.Problem{
		Rule: "source/skipped", At: key.At, Field: key.Text, Got: key.Text, Want: near,
		Text: schema.Textf("the parameter %q is not known and compared with nothing", "参数 %q 无法识别，不参与比较", key.Text),
		Hint: meant(near),
	})
}

func meant(near string) schema.Text {
	return schema.Textf("did you mean %q? Other words can be added to vocabulary in the manifest", "是否为 %q？其他用词可在清单的 vocabulary 中补充", near)
}
