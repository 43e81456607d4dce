package evidence

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// shown is how many differences a sentence lists.
const shown = 5

// listed words what is wrong with a copy: "10.0.0.3:8080 is missing, probe.interval is 5s instead of 2s".
func listed(problems []rules.Judged) schema.Text {
	var en, zh []string
	for i := range problems {
		if i == shown {
			en, zh = append(en, fmt.Sprintf("%d more", len(problems)-shown)), append(zh, fmt.Sprintf("另有 %d 处", len(problems)-shown))
			break
		}
		t := worded(&problems[i])
		en, zh = append(en, t.En), append(zh, t.Zh)
	}
	return schema.Text{En: strings.Join(en, ", "), Zh: strings.Join(zh, "，")}
}

func worded(d *rules.Judged) schema.Text {
	names := strings.Join(d.Names, ", ")
	got, want := schema.Spoken(d.Item, d.Got), schema.Spoken(d.Item, d.Want)
	switch {
	case d.Editable:
		return schema.Textf("it keeps an editable copy of the probe", "保留了可编辑的探测副本")
	case d.Kind == reconcile.Missing:
		return schema.Textf("%s is missing", "缺少 %s", or(d.Member, names))
	case d.Kind == reconcile.Extra:
		return schema.Textf("%s is too many", "多出 %s", or(d.Member, names))
	case d.Kind == reconcile.CannotCompare:
		return schema.Textf("%s cannot be compared with %s", "%s 无法与 %s 比较", d.Got, d.Want)
	case d.Item == schema.Ramp && strings.HasPrefix(d.Field, "batches"):
		return schema.Textf("the ramp is %s instead of %s", "放量批次为 %s，应为 %s", got, want)
	case d.Item != schema.Members:
		return schema.Textf("%s is %s instead of %s", "%s 为 %s，应为 %s", strings.TrimSuffix(d.Item.String()+"."+d.Field, "."), got, want)
	case d.Field == "weight" && names != "":
		return schema.Textf("the ratio of weights (%s) is %s instead of %s", "权重比例（%s）为 %s，应为 %s", names, d.Got, d.Want)
	}
	return schema.Textf("the %s of %s is %s instead of %s", "%[2]s 的 %[1]s 为 %[3]s，应为 %[4]s", d.Field, d.Member, got, want)
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// itemList words items: "members, probe".
func itemList(items []schema.Item) schema.Text {
	var en, zh []string
	for _, i := range items {
		t := rules.ItemName(i)
		en, zh = append(en, t.En), append(zh, t.In("zh"))
	}
	return schema.Text{En: strings.Join(en, ", "), Zh: strings.Join(zh, "、")}
}

// mend says how to pay what a copy owes.
func mend(item schema.Item, c *schema.Copy) schema.Text {
	return schema.Textf("edit %s in this change, or name the commit that aligned it in a change order: items[] with item: %s and aligned.%s: {repo, commit, file, digest}",
		"在本次变更中修改 %s，或在变更单中写明对齐它的提交：items[] 中 item: %s、aligned.%s: {repo, commit, file, digest}", c.File(), item, c.Side)
}
