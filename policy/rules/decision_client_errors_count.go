package rules

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func decisionClientErrorsCount() Rule {
	return Rule{
		ID: "decision/client-errors-count", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "errors of single clients count towards a shared verdict", Zh: "个别客户端的错误计入共享判断"},
		Copy: func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("decision.counts")
			if !ok {
				return
			}
			var bad []string
			for _, s := range f.Value.List() {
				if strings.EqualFold(s, "4xx") || holds([]string{s}, 400) || holds([]string{s}, 401) || holds([]string{s}, 403) || holds([]string{s}, 429) {
					bad = append(bad, s)
				}
			}
			if len(bad) == 0 {
				return
			}
			list := strings.Join(bad, ", ")
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "decision.counts", Got: list,
				Text: schema.Textf("%s counts towards the shared verdict: one client's bad requests or quota would remove a healthy member for all", "%s 计入共享判断：单个客户端的错误请求或配额会让健康成员对所有人下线", list),
				Hint: schema.Textf("count 5xx, timeout and connect; leave 400, 401, 403 and 429 to the client they belong to", "只统计 5xx、timeout、connect；400、401、403、429 归属各自客户端")})
		},
	}
}
