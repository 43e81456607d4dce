package rules

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// exceptionIncomplete reports exceptions that do not say enough to be reviewed. The manifest's grammar reports absent
// keys; this rule adds what only some rules need.
func exceptionIncomplete() Rule {
	return Rule{
		ID: "exception/incomplete", Severity: schema.Error,
		Title: schema.Text{En: "an exception does not name everything that its rule needs", Zh: "例外缺少该规则所需的信息"},
		Run: func(run *Run, r *Reporter) {
			for i := range run.Manifest.Exceptions {
				e := &run.Manifest.Exceptions[i]
				var lacks []string
				area, _, _ := strings.Cut(e.Rule, "/")
				if e.Side == "" && (area == "members" || area == "evidence") {
					lacks = append(lacks, "side")
				}
				if e.Member == "" && (e.Rule == "members/missing" || e.Rule == "members/extra") {
					lacks = append(lacks, "member")
				}
				for _, need := range []struct{ name, value string }{
					{"rule", e.Rule}, {"pool", e.Pool}, {"initiator", e.Initiator}, {"saw", e.Saw}, {"reclaim", e.Reclaim},
				} {
					if strings.TrimSpace(need.value) == "" {
						lacks = append(lacks, need.name)
					}
				}
				if e.Expires.IsZero() {
					lacks = append(lacks, "expires")
				}
				if len(lacks) > 0 {
					r.Add(manifestFinding(run, e.File, e.At, e.Pool, schema.Finding{
						Message: schema.Textf("the exception for %s lacks %s", "对 %s 的例外缺少 %s", e.Rule, strings.Join(lacks, ", ")),
						Hint:    schema.Textf("an exception names who asked, what they saw, what ends it, and when it expires", "例外须写明申请人、所见信号、回收条件和到期日"),
						Got:     e.Rule + " " + e.Pool,
					}))
				}
				if run.Known != nil && e.Rule != "" && !run.Known(e.Rule) {
					r.Add(manifestFinding(run, e.File, e.At, e.Pool, schema.Finding{
						Message: schema.Textf("the exception names the rule %q, which does not exist", "例外所写的规则 %q 不存在", e.Rule),
						Hint:    schema.Textf("poolproof rules lists all rules", "用 poolproof rules 查看全部规则"), Got: e.Rule,
					}))
				}
			}
		},
	}
}

func exceptionExpired() Rule {
	return Rule{
		ID: "exception/expired", Severity: schema.Error,
		Title: schema.Text{En: "an exception has expired", Zh: "例外已过期"},
		Run: func(run *Run, r *Reporter) {
			for i := range run.Manifest.Exceptions {
				e := &run.Manifest.Exceptions[i]
				if e.Expires.IsZero() || run.Now.Before(e.Expires) {
					continue
				}
				when := e.Expires.UTC().Format("2006-01-02 15:04 UTC")
				r.Add(manifestFinding(run, e.File, e.At, e.Pool, schema.Finding{
					Message: schema.Textf("the exception for %s of pool %s expired at %s", "对池 %[2]s 的 %[1]s 例外已于 %[3]s 过期", e.Rule, e.Pool, when),
					Hint:    schema.Textf("settle the difference and remove the exception, or have it reviewed again: %s", "消除差异并删除例外，或重新评审：%s", e.Reclaim),
					Got:     e.Rule + " " + e.Pool + " " + e.Member,
				}))
			}
		},
	}
}

// exceptionUnused is judged by the audit, which knows what each exception silenced.
func exceptionUnused() Rule {
	return Rule{ID: "exception/unused", Severity: schema.Warning, FullOnly: true,
		Title: schema.Text{En: "an exception silences nothing", Zh: "例外没有静默任何发现"}}
}

// manifestFinding places a finding in the manifest.
func manifestFinding(run *Run, file string, at schema.Span, pool string, f schema.Finding) schema.Finding {
	if file == "" {
		file = run.Manifest.File
	}
	f.Pool = pool
	f.At = schema.Place{File: file, Span: at}
	return f
}
