package strict

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/data"
)

// Exception reads a judged exception. It is not ok if one of its values was refused, which has been reported; values that
// are missing stay empty. A day that is not in the calendar is reported here.
func (f *File) Exception(n *data.Node, report func(schema.Problem)) (schema.Exception, bool) {
	e := schema.Exception{At: n.Place()}
	if n.Kind != data.Map {
		return e, false
	}
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		if !f.Usable(v) || !v.Scalar() {
			return e, false
		}
		text := strings.TrimSpace(v.Text)
		switch n.Pairs[i].Key {
		case "rule":
			e.Rule = text
		case "pool":
			e.Pool = text
		case "side":
			e.Side = schema.Side(text)
		case "member":
			e.Member = text
		case "field":
			e.Field = text
		case "initiator":
			e.Initiator = text
		case "saw":
			e.Saw = text
		case "reclaim":
			e.Reclaim = text
		case "expires":
			var ok bool
			if e.Expires, ok = expiry(text); !ok {
				report(schema.Problem{Rule: judge.RuleInvalid, At: v.Place(), Pool: e.Pool, Field: "exceptions.expires", Got: text,
					Text: schema.Textf("expires: there is no day %s", "expires：没有 %s 这一天", text), Hint: schema.Textf("write a day such as 2026-12-31", "请写 2026-12-31 这样的日期")})
				return e, false
			}
		}
	}
	return e, true
}

// expiry returns the first moment that is not covered: the moment itself, or the end of the day in UTC.
func expiry(s string) (time.Time, bool) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day.AddDate(0, 0, 1), true
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// Lacks names what an exception does not say although its rule needs it: the side for members and evidence, the member
// for missing and extra ones.
func Lacks(e *schema.Exception) []string {
	var lacks []string
	area, _, _ := strings.Cut(e.Rule, "/")
	if e.Side == "" && (area == "members" || area == "evidence") {
		lacks = append(lacks, "side")
	}
	if e.Member == "" && (e.Rule == "members/missing" || e.Rule == "members/extra") {
		lacks = append(lacks, "member")
	}
	return lacks
}
