package apisix

import (
	"math"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// zeroRule says whether APISIX takes a length of time of zero.
type zeroRule bool

const (
	zeroRefused zeroRule = false
	zeroTaken   zeroRule = true
)

// seconds sets a length of time, which APISIX always counts in seconds, with or without a fraction.
func (r *reader) seconds(p schema.Path, n *data.Node, zero zeroRule) {
	if d, ok := r.secondsValue(p, n, zero); ok {
		r.copy.Set(p, schema.DurationOf(d), n.Place())
	}
}

func (r *reader) secondsValue(p schema.Path, n *data.Node, zero zeroRule) (time.Duration, bool) {
	s, ok := bind.Of(n)
	if !ok {
		if !absent(n) {
			r.wrongKind(p, n, "a number of seconds", "秒数")
		}
		return 0, false
	}
	word, ok := r.bind.Resolve(p, s)
	if !ok || r.hasUnit(p, n, word) {
		return 0, false
	}
	d, err := schema.DurationIn(word, time.Second)
	if err != nil {
		f, ferr := strconv.ParseFloat(word, 64)
		if ferr != nil || !(f >= 0 && f < 1e9) {
			r.refuse(p, n, "schema/invalid", schema.Textf("%s: %q is no number of seconds; APISIX refuses it", "%s：%q 不是秒数；APISIX 会拒绝", p, s.Text), schema.Text{})
			return 0, false
		}
		d = time.Duration(f * float64(time.Second))
	}
	if d == 0 && zero == zeroRefused {
		r.refuse(p, n, "schema/invalid", schema.Textf("%s: APISIX refuses 0 seconds here", "%s：APISIX 此处不接受 0 秒", p), schema.Text{})
		return 0, false
	}
	return d, true
}

// interval sets a length of time that APISIX takes only in whole seconds from 1 on.
func (r *reader) interval(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok && r.hasUnit(p, n, s.Text) {
		return
	}
	if v, ok := r.whole(p, n, 1, math.MaxInt32); ok {
		r.copy.Set(p, schema.DurationOf(time.Duration(v)*time.Second), n.Place())
	}
}

// hasUnit refuses a unit where only a number can stand.
func (r *reader) hasUnit(p schema.Path, n *data.Node, word string) bool {
	d, err := schema.ParseDuration(word)
	if err != nil {
		return false
	}
	r.refuse(p, n, "schema/unit", schema.Textf("%s: %q has a unit; APISIX takes a bare number of seconds", "%s：%q 带有单位；APISIX 只接受纯数字（秒）", p, word),
		schema.Textf("write %s", "请写 %s", strconv.FormatFloat(d.Seconds(), 'f', -1, 64)))
	return true
}
