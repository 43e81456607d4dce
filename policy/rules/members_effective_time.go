package rules

import "github.com/poolproof/poolproof/schema"

func membersEffectiveTime() Rule {
	return Rule{
		ID: "members/effective-time", Severity: schema.Warning,
		Title: schema.Text{En: "a document lists members and does not say since when", Zh: "文档列出成员但未写生效时刻"},
		Copy: func(c *Copy, r *Reporter) {
			if c.Copy.Side != schema.Doc || !c.Copy.States(schema.Members) || !c.Copy.Effective.IsZero() || c.Copy.EffectiveAt.Known() {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Members], Item: schema.Members, Field: "effective",
				Text: schema.Textf("the document lists members and does not say since when they are in force", "文档列出了成员，但未写明何时生效"),
				Hint: schema.Textf("add a line: Effective: 2026-01-31T02:00:00Z", "增加一行：生效时刻：2026-01-31 02:00:00 +08:00")})
		},
	}
}
