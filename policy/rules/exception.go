package rules

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Lacks names what an exception does not say although its rule needs it. Such an exception silences nothing.
func Lacks(e *schema.Exception) []string {
	var lacks []string
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
	area, _, _ := strings.Cut(e.Rule, "/")
	if e.Side == "" && (area == "members" || area == "evidence") {
		lacks = append(lacks, "side")
	}
	if e.Member == "" && (e.Rule == "members/missing" || e.Rule == "members/extra") {
		lacks = append(lacks, "member")
	}
	return lacks
}

// exceptionIncomplete reports exceptions that do not say enough to be reviewed, and those for rules that do not exist.
func exceptionIncomplete() Rule {
	return Rule{
		ID: "exception/incomplete", Severity: schema.Error,
		Title: schema.Text{En: "an exception does not name everything that its rule needs", Zh: "例外缺少该规则所需的信息"},
		Run: func(run *Run, r *Reporter) {
			for i := range run.Manifest.Exceptions {
				incomplete(run, &run.Manifest.Exceptions[i], "", r)
			}
			for _, o := range run.SortedOrders() {
				if o.Valid && !o.Effective.After(run.Now) {
					for i := range o.Exceptions {
						incomplete(run, &o.Exceptions[i], o.File, r)
					}
				}
			}
		},
	}
}

func incomplete(run *Run, e *schema.Exception, file string, r *Reporter) {
	side := schema.Side("")
	if file != "" {
		side = schema.Order
	}
	add := func(f schema.Finding) {
		f = manifestFinding(run, or(file, e.File), e.At, e.Pool, f)
		f.At.Side = side
		r.Add(f)
	}
	if lacks := Lacks(e); len(lacks) > 0 {
		list := strings.Join(lacks, ", ")
		add(schema.Finding{Got: strings.TrimSpace(e.Rule + " " + e.Member),
			Message: schema.Textf("the exception for %s lacks %s, and silences nothing", "对 %s 的例外缺少 %s，不起作用", or(e.Rule, "?"), list),
			Hint:    schema.Textf("an exception names who asked, what they saw, what ends it, and when it expires", "例外须写明申请人、所见信号、回收条件和到期日"),
		})
	}
	if run.Known != nil && e.Rule != "" && !run.Known(e.Rule) {
		add(schema.Finding{Got: e.Rule,
			Message: schema.Textf("the exception names the rule %q, which does not exist", "例外所写的规则 %q 不存在", e.Rule),
			Hint:    NearestRule(e.Rule),
		})
	}
}

// NearestRule proposes the rule that is nearest in spelling to a name that is none.
func NearestRule(name string) schema.Text {
	var names []string
	for _, r := range All() {
		names = append(names, r.ID)
	}
	if near := reconcile.Nearest(name, names); len(near) > 0 {
		return schema.Textf("did you mean %s?", "是否为 %s？", near[0])
	}
	return schema.Textf("poolproof rules lists all rules", "用 poolproof rules 查看全部规则")
}

// SortedOrders returns the change orders in the order of their files.
func (run *Run) SortedOrders() []*schema.ChangeOrder {
	out := make([]*schema.ChangeOrder, 0, len(run.Orders))
	for _, o := range run.Orders {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *schema.ChangeOrder) int { return strings.Compare(a.File, b.File) })
	return out
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
					Message: schema.Textf("the exception for %s expired at %s, and silences nothing", "对 %s 的例外已于 %s 过期，不起作用", e.Rule, when),
					Hint:    schema.Textf("settle the difference and remove the exception, or have it reviewed again; it was to end with: %s", "消除差异并删除例外，或重新评审；其回收条件为：%s", e.Reclaim),
					Got:     strings.TrimSpace(e.Rule + " " + e.Member),
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
