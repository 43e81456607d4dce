package section

import (
	"github.com/poolproof/poolproof/schema"
)

const shapeRule = "source/table-shape"

// badRow says why a row's values are not read.
func badRow(t *Table, row *Row) schema.Problem {
	p := schema.Problem{Rule: shapeRule, At: row.At}
	switch row.Flaw {
	case RawPipe:
		p.Text = schema.Textf("a | inside a code span splits this row; readers of Markdown differ about its cells", "代码片段中的 | 会拆分该行，不同渲染器得到的单元格不同")
		p.Hint = schema.Textf(`write the | as \|`, `将 | 写成 \|`)
	case Loose:
		p.Text = schema.Textf("this line is read as a row of the table above it", "该行被当作上方表格的一行")
		p.Hint = schema.Textf("put a blank line between the table and the text", "在表格与文字之间加一个空行")
	default:
		p.Text = schema.Textf("cells in this row: %d, in the header: %d; values are dropped or stand in the wrong column", "该行有 %d 个单元格，表头有 %d 个；有值被丢弃或错列", row.Count, len(t.Header))
		p.Hint = schema.Textf(`give the row one cell a column; a | inside a cell is written \|`, `每列写一个单元格；单元格内的 | 写成 \|`)
	}
	return p
}

// badTable says why nothing of a table is read.
func badTable(t *Table) schema.Problem {
	p := schema.Problem{Rule: shapeRule, At: t.HeaderAt}
	if t.Flaw == NoRule {
		p.Text = schema.Textf("these lines are no table: the row of dashes below the header is missing", "这些行不是表格：表头下缺少由短横线组成的分隔行")
		p.Hint = schema.Textf("add |---|---| with one cell a column below the header", "在表头下加上 |---|---|，每列一格")
		return p
	}
	p.Text = schema.Textf("cells in the header: %d, in the row of dashes below it: %d; this is no table, and nothing of it is read", "表头有 %d 个单元格，其下的分隔行有 %d 个；这不是表格，内容均未读取", len(t.Header), t.Rule)
	p.Hint = schema.Textf("give both the same number of cells", "使两者的单元格数相同")
	return p
}

// notThatTable says that a comment binds a table to an item that its columns cannot hold.
func notThatTable(t *Table, item schema.Item) schema.Problem {
	return schema.Problem{Rule: shapeRule, At: t.HeaderAt, Item: item,
		Text: schema.Textf("a comment binds this table to %s, and no header of it is known to hold that", "注释将该表绑定到 %s，但没有可识别的表头", item),
		Hint: schema.Textf("use headers such as Address and Port, Parameter and Value, or Batch, Share and Dwell", "使用如 地址 与 端口、参数 与 取值，或 批次、比例、停留 的表头"),
	}
}

// shape reports a flawed row.
func (d *draft) shape(t *Table, row *Row) { d.copy.Report(badRow(t, row)) }

// ByteOrderMark warns about the mark at the start of a file.
func ByteOrderMark() schema.Problem {
	return schema.Problem{Rule: "source/scalar-hazard", Severity: schema.Warning, At: schema.At(0, len("\uFEFF")),
		Text: schema.Textf("the file starts with a byte-order mark", "文件以字节顺序标记（BOM）开头"),
		Hint: schema.Textf("save it as UTF-8 without one", "请保存为不带 BOM 的 UTF-8")}
}
