package judge

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// The rules that issues belong to.
const (
	RuleInvalid    = "schema/invalid"
	RuleUnknownKey = "schema/unknown-key"
	RuleUnit       = "schema/unit"
)

// Problem words the issue as a problem of a file; root names the judged document ("pool orders"). Where the issue is
// about a part of an item, Item and Field say which; otherwise Field is the issue's path.
func (i *Issue) Problem(root schema.Text) schema.Problem {
	path := schema.Path(i.Path)
	p := schema.Problem{Rule: RuleInvalid, At: i.At, Field: i.Path, Got: i.Got, Want: i.Want.En, Item: path.Item()}
	if p.Item != schema.NoItem {
		p.Field = path.Leaf()
	}
	where := schema.Text{En: i.Path, Zh: i.Path}
	if i.Path == "" {
		where = root
	}
	switch i.Kind {
	case More:
		p.Text = schema.Textf("%[1]s: %[3]d more mistakes, which are not listed", "%[2]s：另有 %[3]d 处错误，未逐一列出", where.En, where.Zh, i.Count)
		p.Hint = schema.Textf("mend the listed ones first", "请先修正已列出的错误")
	case UnknownKey:
		p.Rule = RuleUnknownKey
		p.Got = clip(i.Key)
		if i.Near != "" {
			p.Want = i.Near
		}
		p.Text, p.Hint = i.unknownKey()
	case BadKey:
		p.Got = clip(i.Key)
		p.Text = schema.Text{En: quoted(p.Got) + " is not " + i.Want.En, Zh: quoted(p.Got) + " 不是" + spaced(i.Want.Zh)}
		p.Hint = schema.Textf("choose another name", "请换一个名称")
	case Missing:
		p.Text = schema.Textf("%s is missing", "缺少 %s", i.Path)
		p.Hint = schema.Textf("add %[1]s: %[2]s", "补充 %[1]s：%[3]s", i.Key, i.Want.En, i.Want.Zh)
	case NoUnit:
		p.Rule = RuleUnit
		p.Text = schema.Textf("%s: %s has no unit", "%s：%s 没有单位", i.Path, i.shown().En)
		n := strings.TrimSpace(i.Got)
		p.Hint = schema.Textf("write the unit: %[1]sms, %[1]ss, %[1]sm", "写明单位：%[1]sms、%[1]ss、%[1]sm", n)
	case Unit:
		p.Rule = RuleUnit
		p.Text = schema.Textf("%s: %s has a unit where none can stand", "%s：%s 带有单位，此处不能带单位", i.Path, i.shown().En)
		p.Hint = schema.Textf("write %[1]s without a unit", "写成不带单位的%[2]s", i.Want.En, i.Want.Zh)
	default:
		p.Text, p.Hint = i.refusal(where)
	}
	return p
}

// shown is what stands there, as messages show it.
func (i *Issue) shown() schema.Text {
	switch {
	case i.kind == String:
		return schema.Text{En: quoted(i.Got), Zh: quoted(i.Got)}
	case i.Got != "":
		return schema.Text{En: i.Got, Zh: i.Got}
	}
	return kindText(i.kind)
}

func (i *Issue) unknownKey() (text, hint schema.Text) {
	where, key := "", i.Path
	if dot := len(i.Path) - len(i.Key) - 1; dot > 0 && strings.HasSuffix(i.Path, "."+i.Key) {
		where, key = i.Path[:dot], i.Key
	}
	if where == "" {
		text = schema.Textf("unknown key %s", "未知的键 %s", key)
	} else {
		text = schema.Textf("%[2]s has no key %[1]s", "%[2]s 没有键 %[1]s", key, where)
	}
	if i.Near != "" {
		return text, schema.Textf("did you mean %s?", "是否应为 %s？", i.Near)
	}
	return text, schema.Textf("known keys: %[1]s", "已知的键：%[2]s", i.Want.En, i.Want.Zh)
}

func (i *Issue) refusal(where schema.Text) (text, hint schema.Text) {
	shown := i.shown()
	switch {
	case i.kind == Null && i.Want.En != "":
		text = schema.Text{En: where.En + " has no value; it takes " + i.Want.En, Zh: where.Zh + " 没有值；此处应为" + spaced(i.Want.Zh)}
		return text, schema.Textf("write a value, or remove the key", "写上值，或删除该键")
	case i.Want.En == "":
		text = schema.Text{En: where.En + ": " + shown.En + " is not accepted", Zh: where.Zh + "：不接受" + spaced(shown.Zh)}
	case i.enum:
		text = schema.Text{En: where.En + ": " + shown.En + " is none of " + i.Want.En, Zh: where.Zh + "：" + shown.Zh + " 不在" + spaced(i.Want.Zh) + "之中"}
	default:
		text = schema.Text{En: where.En + ": " + shown.En + " is not " + i.Want.En, Zh: where.Zh + "：" + shown.Zh + " 不是" + spaced(i.Want.Zh)}
	}
	switch {
	case i.Near != "":
		hint = schema.Textf("did you mean %s?", "是否应为 %s？", i.Near)
	case i.kind == String && isNumber(i.Got) && strings.Contains(i.Want.En, "number"):
		hint = schema.Textf("drop the quotes", "去掉引号")
	}
	return text, hint
}

func quoted(s string) string { return `"` + s + `"` }

// spaced puts a space before what starts with a Latin letter, digit or quote, as Chinese text has it.
func spaced(s string) string {
	if s != "" && s[0] < 0x80 {
		return " " + s
	}
	return s
}
