package envoy

import (
	"math"
	"strings"

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
