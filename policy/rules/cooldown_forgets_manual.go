package rules

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func cooldownForgetsManual() Rule {
	return Rule{
		ID: "cooldown/forgets-manual", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a forced return leaves no record, or starts no new cooldown", Zh: "人工强制回归没有记录，或不重新开始冷却"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			if f, ok := c.Copy.Get("cooldown.manual.restarts"); ok && !f.Value.Bool() {
				r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "cooldown.manual.restarts", Got: "false", Want: "true",
					Text: schema.Textf("a forced return starts no new cooldown: a member forced back too early flaps", "强制回归不重新开始冷却：过早回归的成员会反复进出"),
					Hint: schema.Textf("set manual.restarts: true", "设置 manual.restarts: true")})
			}
			f, ok := c.Copy.Get("cooldown.manual.allowed")
			if !ok || !f.Value.Bool() {
				return
			}
			required, written := c.Copy.Get("cooldown.manual.requires")
			if !written && c.Said("cooldown.manual.requires") {
				return
			}
			var lacks []string
			for _, need := range []string{"initiator", "saw", "reclaim", "review"} {
				if !slices.Contains(required.Value.List(), need) {
					lacks = append(lacks, need)
				}
			}
			if len(lacks) == 0 {
				return
			}
			list := strings.Join(lacks, ", ")
			r.Hit(Hit{Copy: c.Copy, At: f.At, Item: schema.Cooldown, Field: "manual.requires", Got: list,
				Text: schema.Textf("a forced return is allowed without recording %s", "允许强制回归但不记录 %s", list),
				Hint: schema.Textf("set manual.requires: [initiator, saw, reclaim, review]", "设置 manual.requires: [initiator, saw, reclaim, review]")})
		}),
	}
}
