package section

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// unread are the rows of a table of parameters whose names nobody knows, though their values are such as parameters have.
type unread struct {
	understood bool // another row of the table is a parameter
	draft      *draft
	names      []Cell
}

func (u *unread) add(d *draft, name Cell) {
	if u.draft == nil {
		u.draft = d
	}
	u.names = append(u.names, name)
}

// mostUnread is how many names a finding lists.
const mostUnread = 5

// report says which rows are compared with nothing, once for a table. Where no row is understood, the table is about
// something else.
func (u *unread) report() {
	if !u.understood || len(u.names) == 0 {
		return
	}
	first := u.names[0]
	var list []string
	for _, c := range u.names[:min(mostUnread, len(u.names))] {
		list = append(list, strconv.Quote(c.Text))
	}
	names := schema.Text{En: strings.Join(list, ", "), Zh: strings.Join(list, "、")}
	if more := len(u.names) - mostUnread; more > 0 {
		names = schema.Textf("%s and %d more", "%s 及另外 %d 项", names, more)
	}
	text := schema.Textf("rows of this table that are not compared, since their names are not known: %s", "该表中名称无法识别、因而不参与比较的行：%s", names)
	u.draft.copy.Report(schema.Problem{
		Rule: "source/skipped", At: first.At, Field: first.Text, Got: first.Text, Text: text,
		Hint: schema.Textf("if they are settings of the pool, name them as the model does (poolproof schema), or add the words to vocabulary in the manifest, for example vocabulary: {probe.interval: [%q]}",
			"如属该池的配置，请使用模型中的名称（poolproof schema），或在清单的 vocabulary 中补充用词，例如 vocabulary: {probe.interval: [%q]}", first.Text),
	})
}
