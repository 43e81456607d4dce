package rules

import (
	"github.com/poolproof/poolproof/schema"
)

// SideName is a side as sentences name it.
func SideName(s schema.Side) schema.Text {
	switch s {
	case schema.App:
		return schema.Text{En: "app", Zh: "应用"}
	case schema.Gateway:
		return schema.Text{En: "gateway", Zh: "网关"}
	case schema.Doc:
		return schema.Text{En: "document", Zh: "文档"}
	case schema.Order:
		return schema.Text{En: "change order", Zh: "变更单"}
	case schema.Live:
		return schema.Text{En: "running gateway", Zh: "运行中的网关"}
	}
	return schema.Text{En: string(s), Zh: string(s)}
}

// itemName is an item as sentences name it.
func itemName(i schema.Item) schema.Text {
	t := schema.Text{En: i.String(), Zh: i.String()}
	switch i {
	case schema.Members:
		t.Zh = "成员"
	case schema.Probe:
		t.Zh = "探测"
	case schema.Cooldown:
		t.Zh = "冷却"
	case schema.Ramp:
		t.Zh = "放量批次"
	}
	return t
}

// ItemName is an item as sentences name it.
func ItemName(i schema.Item) schema.Text { return itemName(i) }

// rowName is the row of the source-of-truth table that decides an item, as reports cite it, with the manifest's reason
// where it overrides the table.
func (p *Pool) rowName(i schema.Item) string {
	row := &p.Rows[i]
	if row.Reason == "" {
		return row.Name
	}
	return row.Name + " (" + row.Reason + ")"
}

// silence says why no copy decides an item.
func (p *Pool) silence(i schema.Item) schema.Text {
	row := &p.Rows[i]
	switch {
	case row.Side == schema.Order:
		return schema.Textf("no change order in force states it", "没有生效的变更单写明它")
	case row.Side != "":
		return schema.Textf("the %s decides and does not state it", "由%s决定，而%[1]s没有写", SideName(row.Side))
	case row.Executor != "":
		return schema.Textf("%s executes the probe and has no copy here", "探测由 %s 执行，而它在此没有副本", row.Executor)
	}
	return schema.Textf("nobody decides", "没有决定方")
}
