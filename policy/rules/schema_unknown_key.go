package rules

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// schemaUnknownKey gives its weight to what readers report, and adds the one kind of key that only the rules know:
// severities of rules that do not exist.
func schemaUnknownKey() Rule {
	return Rule{
		ID: "schema/unknown-key", Severity: schema.Error,
		Title: schema.Text{En: "a key that the grammar does not have", Zh: "语法中没有的键"},
		Run: func(run *Run, r *Reporter) {
			var ids []string
			judge := func(pool string, list []schema.SeverityRule) {
				for _, s := range list {
					if run.Known(s.Rule) {
						continue
					}
					if ids == nil {
						for _, rule := range All() {
							ids = append(ids, rule.ID)
						}
					}
					f := schema.Finding{Got: s.Rule, Field: "severity",
						Message: schema.Textf("severity names the rule %q, which does not exist", "severity 所写的规则 %q 不存在", s.Rule),
						Hint:    schema.Textf("poolproof rules lists all rules", "用 poolproof rules 查看全部规则")}
					if near := reconcile.Nearest(s.Rule, ids); len(near) > 0 {
						f.Hint = schema.Textf("did you mean %s?", "是否应为 %s？", near[0])
					}
					r.Add(manifestFinding(run, "", s.At, pool, f))
				}
			}
			judge("", run.Manifest.Severity)
			judge("", run.Manifest.Defaults.Severity)
			for i := range run.Manifest.Pools {
				judge(run.Manifest.Pools[i].Name, run.Manifest.Pools[i].Severity)
			}
		},
	}
}
