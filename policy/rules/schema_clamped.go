package rules

import "github.com/poolproof/poolproof/schema"

func schemaClamped() Rule {
	return Rule{
		ID: "schema/clamped", Severity: schema.Warning,
		Title: schema.Text{En: "the engine silently uses another value than the written one", Zh: "引擎静默采用了与所写不同的值"},
		Copy: func(c *Copy, r *Reporter) {
			for _, e := range c.Effective {
				if !e.Clamped {
					continue
				}
				f, ok := c.Copy.Get(e.Path)
				if !ok || f.Value == e.Value {
					continue
				}
				r.Hit(Hit{Copy: c.Copy, At: f.At, Path: e.Path, Got: f.Value.String(), Want: e.Value.String(),
					Text: schema.Text{
						En: "written " + f.Value.String() + ", effective " + e.Value.String() + ": " + e.Why.En,
						Zh: "所写为 " + f.Value.String() + "，实际为 " + e.Value.String() + "：" + e.Why.In("zh"),
					},
					Hint: schema.Textf("write %s, which is what happens", "写成实际采用的 %s", e.Value)})
			}
		},
	}
}
