package argorollouts

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

func text(n *data.Node) string {
	if n.Scalar() && n.Kind != data.Null {
		return n.Text
	}
	return ""
}

func (r *reader) refuse(p schema.Path, n *data.Node, what, hint schema.Text) {
	r.bind.Refuse(p, bind.Scalar{Text: text(n), At: n.Place()}, "schema/invalid", what, hint)
}

func (r *reader) wrongKind(p schema.Path, n *data.Node, want, wantZh string) {
	if n.Kind == data.Null {
		return
	}
	if s, ok := bind.Of(n); ok {
		if _, known := r.bind.Resolve(p, s); !known {
			return
		}
	}
	r.refuse(p, n, schema.Textf("%[1]s: Argo Rollouts wants %[2]s here", "%[1]s：Argo Rollouts 此处要求%[3]s", p, want, wantZh), schema.Text{})
}

func (r *reader) words(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Text(p, s)
	}
}

func (r *reader) flag(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok {
		r.bind.Bool(p, s)
	}
}

// whole reads a number from lo to hi.
func (r *reader) whole(p schema.Path, n *data.Node, lo, hi int64) (int64, bool) {
	s, ok := bind.Of(n)
	if !ok {
		if n != nil {
			r.wrongKind(p, n, "a whole number", "整数")
		}
		return 0, false
	}
	v, ok := r.bind.IntValue(p, s, math.MinInt64, math.MaxInt64)
	if ok && (v < lo || v > hi) {
		r.refuse(p, n, schema.Textf("%s: Argo Rollouts refuses %d; it takes %d to %d", "%s：Argo Rollouts 拒绝 %d；取值范围为 %d 到 %d", p, v, lo, hi), schema.Text{})
		return 0, false
	}
	return v, ok
}

func (r *reader) count(p schema.Path, n *data.Node) {
	if v, ok := r.whole(p, n, 0, math.MaxInt32); ok {
		r.copy.Set(p, schema.IntOf(v), n.Place())
	}
}

// seconds sets a field whose name ends in Seconds: a whole number of them.
func (r *reader) seconds(p schema.Path, n *data.Node) {
	if v, ok := r.whole(p, n, 0, math.MaxInt32); ok {
		r.copy.Set(p, schema.DurationOf(time.Duration(v)*time.Second), n.Place())
	}
}
