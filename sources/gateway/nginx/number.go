package nginx

import (
	"errors"
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// natural reads a number of digits alone, at least lo, the only numbers that NGINX takes.
func (p *pool) natural(path schema.Path, key string, v bind.Scalar, lo int64) (int64, bool) {
	text, ok := p.b.Resolve(path, v)
	if !ok || placeholder(text) {
		if ok {
			p.c.Unresolve(path, v.Text, v.At)
		}
		return 0, false
	}
	n, rule, why, hint := number(key, text, lo)
	if rule != "" {
		p.b.Refuse(path, v, rule, why, hint)
		return 0, false
	}
	return n, true
}

// number is the rule for numbers: what is wrong with one, if anything.
func number(key, text string, lo int64) (n int64, rule string, why, hint schema.Text) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n >= lo && text[0] != '+' && text[0] != '-' {
		return n, "", schema.Text{}, schema.Text{}
	}
	if key == "weight" && err == nil && n == 0 {
		return 0, "schema/invalid", schema.Textf("NGINX refuses weight=%s: a weight is a whole number from 1", "NGINX 拒绝 weight=%s：权重是从 1 起的整数", text),
			schema.Textf("use down to take the server out", "要摘除该服务器请用 down")
	}
	if _, derr := schema.ParseDuration(text); derr == nil {
		return 0, "schema/unit", schema.Textf("NGINX refuses %s=%s: it is a number, and no unit can stand here", "NGINX 拒绝 %s=%s：此处是数字，不能带单位", key, text),
			schema.Textf("drop the unit", "去掉单位")
	}
	return 0, "schema/invalid", schema.Textf("NGINX refuses %s=%s: it takes a whole number from %d", "NGINX 拒绝 %s=%s：只接受从 %d 起的整数", key, clip(text), lo), schema.Text{}
}

// timed reads a time of a server line for the pool's tally.
func (p *pool) timed(t *tally, key string, v bind.Scalar, parse bind.DurationParser) (schema.Value, bool) {
	text, ok := bind.Expand(v.Text, p.in.Vars, syntax)
	if !ok || placeholder(text) {
		t.later(v, false)
		return schema.Value{}, false
	}
	text, _ = p.b.Resolve(t.path, v)
	d, err := parse(text)
	if err != nil {
		p.refuse(t, v, timeProblem(key, text, err), timeHint(text, err))
		return schema.Value{}, false
	}
	return schema.DurationOf(d), true
}

// counted reads a number of a server line for the pool's tally.
func (p *pool) counted(t *tally, key string, v bind.Scalar) (schema.Value, bool) {
	text, ok := bind.Expand(v.Text, p.in.Vars, syntax)
	if !ok || placeholder(text) {
		t.later(v, false)
		return schema.Value{}, false
	}
	text, _ = p.b.Resolve(t.path, v)
	n, rule, why, hint := number(key, text, 0)
	if rule != "" {
		p.c.Report(schema.Problem{Rule: rule, At: v.At, Item: t.path.Item(), Field: t.path.Leaf(), Got: v.Text, Text: why, Hint: hint})
		t.later(v, true)
		return schema.Value{}, false
	}
	return schema.IntOf(n), true
}

// refuse reports a value of a server line that counts for the whole pool.
func (p *pool) refuse(t *tally, v bind.Scalar, why, hint schema.Text) {
	p.c.Report(schema.Problem{Rule: "schema/invalid", At: v.At, Item: t.path.Item(), Field: t.path.Leaf(), Got: v.Text, Text: why, Hint: hint})
	t.later(v, true)
}

func timeProblem(name, text string, err error) schema.Text {
	if errors.Is(err, errWholeSeconds) {
		return schema.Textf("NGINX refuses %s=%s: it counts whole seconds here and knows no ms", "NGINX 拒绝 %s=%s：此处以整秒计，不支持 ms", name, clip(text))
	}
	return schema.Textf("NGINX refuses %s=%s: it is no time", "NGINX 拒绝 %s=%s：不是合法的时间", name, clip(text))
}

func timeHint(text string, err error) schema.Text {
	if errors.Is(err, errWholeSeconds) {
		return schema.Textf("write whole seconds: 1s, 30s, 1m", "请写整秒：1s、30s、1m")
	}
	return schema.Textf("a time is whole numbers with units, the longest unit first: 30s, 1m30s, 2h", "时间由整数和单位组成，单位从大到小：30s、1m30s、2h")
}
