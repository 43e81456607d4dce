package envoy

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

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
