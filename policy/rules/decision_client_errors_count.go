package rules

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func decisionClientErrorsCount() Rule {
	return Rule{
		ID: "decision/client-errors-count", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "errors of single clients count towards a shared verdict", Zh: "个别客户端的错误计入共享判断"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			counts, _, ok := c.Value("decision.counts")
			if !ok {
				return
			}
			var bad []string
			for _, s := range counts.List() {
				if slices.ContainsFunc([]int{400, 401, 403, 429}, func(code int) bool { return holds([]string{s}, code) }) {
					bad = append(bad, s)
				}
			}
			if len(bad) == 0 {
				return
			}
			list := strings.Join(bad, ", ")
			r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.counts"), Path: "decision.counts", Got: list,
				Text: plus(schema.Textf("%s counts towards the shared verdict: one client's bad requests or quota would remove a healthy member for all", "%s 计入共享判断：单个客户端的错误请求或配额会让健康成员对所有人下线", list), c.implied("decision.counts")),
				Hint: schema.Textf("count 5xx, timeout and connect; leave 400, 401, 403 and 429 to the client they belong to", "只统计 5xx、timeout、connect；400、401、403、429 归属各自客户端")})
		}),
	}
}
