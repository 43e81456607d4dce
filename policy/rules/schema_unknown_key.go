package rules

import (
	"github.com/poolproof/poolproof/schema"
)

// schemaUnknownKey gives its weight to what readers report, and adds the one kind of key that only the rules know:
// severities of rules that do not exist.
func schemaUnknownKey() Rule {
	return Rule{
		ID: "schema/unknown-key", Severity: schema.Error,
		Title: schema.Text{En: "a key that the grammar does not have", Zh: "语法中没有的键"},
		Run: func(run *Run, r *Reporter) {
			judge := func(pool string, list []schema.SeverityRule) {
				for _, s := range list {
					if run.Known(s.Rule) {
						continue
					}
					r.Add(manifestFinding(run, "", s.At, pool, schema.Finding{Got: s.Rule, Field: "severity",
						Message: schema.Textf("severity names the rule %q, which does not exist", "severity 所写的规则 %q 不存在", s.Rule),
						Hint:    NearestRule(s.Rule)}))
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
