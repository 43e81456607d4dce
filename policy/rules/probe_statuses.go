package rules

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func probeStatuses() Rule {
	return Rule{
		ID: "probe/statuses", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "answers that do not mean death are read as death, or good and bad answers overlap", Zh: "把并非故障的应答当作故障，或好坏状态码重叠"},
		Copy: deciding(schema.Probe, func(c *Copy, r *Reporter) {
			bad, _, ok := c.Value("probe.badStatuses")
			if !ok {
				return
			}
			at := c.Place("probe.badStatuses")
			for _, code := range []int{401, 403, 429} {
				if holds(bad.List(), code) {
					r.Hit(Hit{Copy: c.Copy, At: at, Item: schema.Probe, Field: "badStatuses", Got: strconv.Itoa(code),
						Text: plus(schema.Textf("a probe answered with %d counts as death: throttling and refused credentials are not a dead member", "探测返回 %d 即视为故障：限流或鉴权失败不等于成员故障", code), c.implied("probe.badStatuses")),
						Hint: schema.Textf("take %d out of the statuses that mark a member unhealthy", "从判定不健康的状态码中移除 %d", code)})
				}
			}
			good, _, ok := c.Value("probe.expect.statuses")
			if !ok {
				return
			}
			var both []string
			for code := 100; code < 600; code++ {
				if holds(good.List(), code) && holds(bad.List(), code) {
					both = append(both, strconv.Itoa(code))
				}
			}
			if len(both) > 0 {
				all := strings.Join(both[:min(len(both), 8)], ", ")
				r.Hit(Hit{Copy: c.Copy, At: at, Item: schema.Probe, Field: "expect.statuses", Severity: schema.Error, Got: all,
					Text: schema.Textf("statuses %s are both good and bad", "状态码 %s 同时属于健康与不健康", all),
					Hint: schema.Textf("take them out of one of the two lists", "从其中一个列表中移除")})
			}
		}),
	}
}

// holds reports whether a list of statuses ("200", "200-299", "5xx", "!404") names a code.
func holds(list []string, code int) bool {
	for _, s := range list {
		s = strings.ToLower(strings.TrimSpace(s))
		if len(s) == 3 && strings.HasSuffix(s, "xx") {
			if int(s[0]-'0') == code/100 {
				return true
			}
			continue
		}
		from, to, ranged := strings.Cut(s, "-")
		lo, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		hi := lo
		if ranged {
			if hi, err = strconv.Atoi(to); err != nil {
				continue
			}
		}
		if code >= lo && code <= hi {
			return true
		}
	}
	return false
}
