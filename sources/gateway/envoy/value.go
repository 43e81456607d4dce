package envoy

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

const maxUint32 = math.MaxUint32

// get returns the value of a key in either spelling.
func get(n *data.Node, snake, camel string) *data.Node {
	if n == nil || n.Kind != data.Map {
		return nil
	}
	for i := range n.Pairs {
		if k := n.Pairs[i].Key; k == snake || k == camel {
			return n.Pairs[i].Value
		}
	}
	return nil
}

// text returns a scalar's text, empty for anything else.
func text(n *data.Node) string {
	if n.Scalar() && n.Kind != data.Null {
		return n.Text
	}
	return ""
}

// absent reports whether nothing is written: proto3 JSON reads null as absent.
func absent(n *data.Node) bool { return n == nil || n.Kind == data.Null }

// list returns the entries of a list; another kind is reported, a template recorded.
func (r *reader) list(p schema.Path, n *data.Node) []*data.Node {
	if absent(n) {
		return nil
	}
	if n.Kind != data.List {
		r.wrongKind(p, n, "a list", "列表")
		return nil
	}
	return n.Items
}

// object reports whether n is a mapping; another kind is reported, a template recorded.
func (r *reader) object(p schema.Path, n *data.Node) bool {
	if absent(n) {
		return false
	}
	if n.Kind != data.Map {
		r.wrongKind(p, n, "a mapping", "映射")
		return false
	}
	return true
}

func (r *reader) wrongKind(p schema.Path, n *data.Node, want, wantZh string) {
	if s, ok := bind.Of(n); ok {
		if _, ok := r.bind.Resolve(p, s); !ok {
			return
		}
	}
	r.refuse(p, n, "schema/invalid", schema.Textf("%[1]s: Envoy wants %[2]s here", "%[1]s：Envoy 此处要求%[3]s", p, want, wantZh), schema.Text{})
}

// refuse reports a value and counts it as unresolved.
func (r *reader) refuse(p schema.Path, n *data.Node, rule string, what, hint schema.Text) {
	r.bind.Refuse(p, bind.Scalar{Text: text(n), At: n.Place()}, rule, what, hint)
}

// plain reads the usual spelling of a number without any allocation; ok is false for every other one.
func plain(n *data.Node) (v int64, ok bool) {
	if n.Kind != data.Int || n.Style != data.Plain || len(n.Text) > 10 || n.Text == "" || n.Text[0] == '0' && len(n.Text) > 1 {
		return 0, false
	}
	for i := 0; i < len(n.Text); i++ {
		if n.Text[i] < '0' || n.Text[i] > '9' {
			return 0, false
		}
		v = v*10 + int64(n.Text[i]-'0')
	}
	return v, true
}

// whole reads a number from lo to hi. Numbers in quotes are numbers, as in proto3 JSON.
func (r *reader) whole(p schema.Path, n *data.Node, lo, hi int64) (int64, bool) {
	if absent(n) {
		return 0, false
	}
	v, ok := plain(n)
	if !ok {
		s, scalar := bind.Of(n)
		if !scalar {
			r.wrongKind(p, n, "a whole number", "整数")
			return 0, false
		}
		if v, ok = r.bind.IntValue(p, s, math.MinInt64, math.MaxInt64); !ok {
			return 0, false
		}
	}
	if v < lo || v > hi {
		r.refuse(p, n, "schema/invalid", schema.Textf("%s: Envoy refuses %d; it takes %d to %d", "%s：Envoy 拒绝 %d；取值范围为 %d 到 %d", p, v, lo, hi), schema.Text{})
		return 0, false
	}
	return v, true
}

// count sets a whole number.
func (r *reader) count(p schema.Path, n *data.Node, lo, hi int64) {
	if v, ok := r.whole(p, n, lo, hi); ok {
		r.copy.Set(p, schema.IntOf(v), n.Place())
	}
}

// flag sets a boolean.
func (r *reader) flag(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Bool(p, s)
	} else if !absent(n) {
		r.wrongKind(p, n, "true or false", " true 或 false")
	}
}

// words sets a text.
func (r *reader) words(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Text(p, s)
	} else if !absent(n) {
		r.wrongKind(p, n, "a text", "文本")
	}
}

// enum sets the name of an enumeration value in upper case, which is how Envoy's documentation writes them, and returns
// it; Envoy reads them in any case.
func (r *reader) enum(p schema.Path, n *data.Node) string {
	s, ok := bind.Of(n)
	if !ok {
		if !absent(n) {
			r.wrongKind(p, n, "a name", "名称")
		}
		return ""
	}
	name, ok := r.bind.Resolve(p, s)
	if !ok {
		return ""
	}
	name = strings.ToUpper(name)
	r.copy.Set(p, schema.TextOf(name), s.At)
	return name
}

// number sets a number from lo to hi, which may stand bare or in a message under one of the keys (value, default_value).
func (r *reader) number(p schema.Path, n *data.Node, lo, hi float64) {
	for range 3 {
		if n == nil || n.Kind != data.Map {
			break
		}
		inner := get(n, "value", "value")
		if inner == nil {
			inner = get(n, "default_value", "defaultValue")
		}
		if inner == nil { // an empty message holds its type's zero
			r.copy.Set(p, schema.NumberOf(0), n.Place())
			return
		}
		n = inner
	}
	if s, ok := bind.Of(n); ok {
		r.bind.Number(p, s, lo, hi, 1)
	} else if !absent(n) {
		r.wrongKind(p, n, "a number", "数字")
	}
}

// duration sets a length of time.
func (r *reader) duration(p schema.Path, n *data.Node, zero zeroRule) (time.Duration, bool) {
	d, ok := r.durationValue(p, n, zero)
	if ok {
		r.copy.Set(p, schema.DurationOf(d), n.Place())
	}
	return d, ok
}

// zeroRule says whether Envoy takes a duration of zero.
type zeroRule bool

const (
	zeroRefused zeroRule = false
	zeroTaken   zeroRule = true
)

// durationValue reads what proto3 JSON calls a duration: seconds with up to nine decimals, and the letter s.
func (r *reader) durationValue(p schema.Path, n *data.Node, zero zeroRule) (time.Duration, bool) {
	if absent(n) {
		return 0, false
	}
	s, scalar := bind.Of(n)
	if !scalar {
		r.refuse(p, n, "schema/invalid", schema.Textf("%s: Envoy wants a duration in seconds here: \"5s\"", "%s：Envoy 此处要求以秒为单位的时长：\"5s\"", p), schema.Text{})
		return 0, false
	}
	d, ok := seconds(s.Text)
	if !ok {
		word, known := r.bind.Resolve(p, s)
		if !known {
			return 0, false
		}
		if d, ok = seconds(word); !ok {
			r.badDuration(p, n, word)
			return 0, false
		}
	}
	if d == 0 && zero == zeroRefused {
		r.refuse(p, n, "schema/invalid", schema.Textf("%s: Envoy refuses 0s here", "%s：Envoy 此处不接受 0s", p), schema.Text{})
		return 0, false
	}
	return d, true
}

func seconds(s string) (time.Duration, bool) {
	if len(s) < 2 || s[len(s)-1] != 's' || s[0] < '0' || s[0] > '9' || s[len(s)-2] < '0' || s[len(s)-2] > '9' {
		return 0, false
	}
	d, err := schema.DurationIn(s[:len(s)-1], time.Second)
	return d, err == nil
}

func (r *reader) badDuration(p schema.Path, n *data.Node, word string) {
	rule := "schema/invalid"
	what := schema.Textf("%s: Envoy reads durations only as seconds with the letter s; %q is none", "%s：Envoy 只接受以 s 结尾的秒数；%q 不是", p, word)
	hint := schema.Textf("write seconds: 5s, 0.25s", "请用秒书写：5s、0.25s")
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		rule = "schema/unit"
		what = schema.Textf("%s: %q has no unit; Envoy reads durations only as seconds with the letter s", "%s：%q 没有单位；Envoy 只接受以 s 结尾的秒数", p, word)
		hint = schema.Textf("if seconds are meant, write %ss; for milliseconds write a fraction: 0.5s", "若为秒请写 %ss；毫秒请写成小数：0.5s", word)
	} else if d, err := schema.ParseDuration(word); err == nil {
		hint = schema.Textf("write %ss", "请写成 %ss", strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
	}
	r.refuse(p, n, rule, what, hint)
}
