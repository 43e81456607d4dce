package apisix

import (
	"math"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

func absent(n *data.Node) bool { return n == nil || n.Kind == data.Null }

// text returns a scalar's text, empty for anything else.
func text(n *data.Node) string {
	if n.Scalar() && n.Kind != data.Null {
		return n.Text
	}
	return ""
}

func (r *reader) refuse(p schema.Path, n *data.Node, rule string, what, hint schema.Text) {
	r.bind.Refuse(p, bind.Scalar{Text: text(n), At: n.Place()}, rule, what, hint)
}

func (r *reader) wrongKind(p schema.Path, n *data.Node, want, wantZh string) {
	if s, ok := bind.Of(n); ok {
		if _, known := r.bind.Resolve(p, s); !known {
			return
		}
	}
	r.refuse(p, n, "schema/invalid", schema.Textf("%[1]s: APISIX wants %[2]s here", "%[1]s：APISIX 此处要求%[3]s", p, want, wantZh), schema.Text{})
}

// object reports whether n is a mapping; another kind is reported, a template recorded.
func (r *reader) isMap(p schema.Path, n *data.Node) bool {
	if absent(n) {
		return false
	}
	if n.Kind != data.Map {
		r.wrongKind(p, n, "a mapping", "映射")
		return false
	}
	return true
}

func (r *reader) words(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Text(p, s)
	} else if !absent(n) {
		r.wrongKind(p, n, "a text", "文本")
	}
}

func (r *reader) flag(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Bool(p, s)
	} else if !absent(n) {
		r.wrongKind(p, n, "true or false", " true 或 false")
	}
}

// whole reads a number from lo to hi.
func (r *reader) whole(p schema.Path, n *data.Node, lo, hi int64) (int64, bool) {
	s, ok := bind.Of(n)
	if !ok {
		if !absent(n) {
			r.wrongKind(p, n, "a whole number", "整数")
		}
		return 0, false
	}
	v, ok := r.bind.IntValue(p, s, math.MinInt64, math.MaxInt64)
	if !ok {
		return 0, false
	}
	if v < lo || v > hi {
		what := schema.Textf("%s: APISIX refuses %d; it takes %d to %d", "%s：APISIX 拒绝 %d；取值范围为 %d 到 %d", p, v, lo, hi)
		if hi >= math.MaxInt32 {
			what = schema.Textf("%s: APISIX refuses %d; it takes %d or more", "%s：APISIX 拒绝 %d；最小为 %d", p, v, lo)
		}
		r.refuse(p, n, "schema/invalid", what, schema.Text{})
		return 0, false
	}
	return v, true
}

func (r *reader) count(p schema.Path, n *data.Node, lo, hi int64) {
	if v, ok := r.whole(p, n, lo, hi); ok {
		r.copy.Set(p, schema.IntOf(v), n.Place())
	}
}
