package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// except marks findings that a complete, unexpired exception or marker covers as suppressed, and reports exceptions
// that cover nothing.
func (w *weigher) except(run *rules.Run, marks []marker, findings *[]schema.Finding) {
	type used struct {
		e    *schema.Exception
		hits int
	}
	var list []used
	for i := range w.manifest.Exceptions {
		list = append(list, used{e: &w.manifest.Exceptions[i]})
	}
	own := len(list)
	for _, o := range run.SortedOrders() {
		if o.Valid && !o.Effective.After(run.Now) && (w.options.Granted == nil || w.options.Granted(o)) {
			for i := range o.Exceptions {
				list = append(list, used{e: &o.Exceptions[i]})
			}
		}
	}
	keys := map[string]string{}
	key := func(pool string) string {
		k, ok := keys[pool]
		if !ok {
			k = reconcile.Key(pool)
			keys[pool] = k
		}
		return k
	}
	for i := range *findings {
		f := &(*findings)[i]
		for j := range list {
			u := &list[j]
			if run.Now.Before(u.e.Expires) && covers(u.e, f, key) {
				if u.hits++; f.Status != schema.Suppressed {
					f.Status = schema.Suppressed
					f.SuppressedBy = fmt.Sprintf("%s%s until %s", schema.ExceptionBy, u.e.Initiator, u.e.Expires.UTC().Format(time.RFC3339))
				}
			}
		}
		for j := range marks {
			m := &marks[j]
			if f.Status != schema.Suppressed && m.covers(f) {
				f.Status = schema.Suppressed
				f.SuppressedBy = fmt.Sprintf("%s%s until %s", schema.MarkerBy, m.by, m.until.UTC().Format(time.RFC3339))
			}
		}
	}
	rule := w.rules["exception/unused"]
	if !run.Full || rule == nil {
		return
	}
	var r rules.Reporter
	r.For(rule, nil)
	// Exceptions of change orders are records of what was granted; nobody edits a signed order to tidy up. What lacks
	// something has a finding of its own.
	for _, u := range list[:own] {
		if u.e = w.own(u.e); u.e == nil || u.hits > 0 || !run.Now.Before(u.e.Expires) || len(rules.Lacks(u.e)) > 0 || !run.Known(u.e.Rule) || notJudged(u.e.Rule) {
			continue
		}
		file := u.e.File
		if file == "" {
			file = w.file()
		}
		f := schema.Finding{
			Pool: u.e.Pool, At: schema.Place{File: file, Span: u.e.At}, Got: strings.TrimSpace(u.e.Rule + " " + u.e.Member),
			Message: schema.Textf("the exception for %s silences nothing", "对 %s 的例外没有静默任何发现", u.e.Rule),
			Hint: schema.Textf("remove it if what it excused is settled; else correct its pool, side or member, which are written as in the finding (10.0.0.1:8080, with the port)",
				"所例外的问题已消除则删除；否则更正其中的池、方或成员，写法与发现中的一致（10.0.0.1:8080，含端口）"),
		}
		if names := poolNames(run); !slices.ContainsFunc(names, func(name string) bool { return key(name) == key(u.e.Pool) }) {
			f.Message = schema.Textf("the exception for %s silences nothing: there is no pool %q", "对 %s 的例外没有静默任何发现：没有名为 %q 的池", u.e.Rule, u.e.Pool)
			f.Hint = schema.Textf("correct the name of the pool, or remove the exception", "请更正池名，或删除该例外")
			if near := reconcile.Nearest(u.e.Pool, names); len(near) > 0 {
				f.Hint = schema.Textf("did you mean %s?", "是否为 %s？", strings.Join(near, ", "))
			}
		}
		r.Add(f)
	}
	*findings = append(*findings, r.Findings()...)
}

// own returns an exception as it stands in the tree's own manifest, nil if it does not.
func (w *weigher) own(e *schema.Exception) *schema.Exception {
	m := w.options.Own
	if m == nil {
		return e
	}
	bare := func(e schema.Exception) schema.Exception { e.At, e.Expires = schema.Span{}, time.Time{}; return e }
	for i := range m.Exceptions {
		if x := &m.Exceptions[i]; bare(*x) == bare(*e) && x.Expires.Equal(e.Expires) {
			return x
		}
	}
	return nil
}

// notJudged reports whether a rule of an exception speaks only of changes, dry-runs or the running gateway. An audit does
// not run it, so it cannot tell that the exception is of no use.
func notJudged(rule string) bool {
	area, _, _ := strings.Cut(rule, "/")
	return area == "dryrun" || area == "evidence" || area == "live"
}

// poolNames lists the names that findings use for pools.
func poolNames(run *rules.Run) []string {
	names := make([]string, 0, len(run.Pairing.Groups))
	for _, g := range run.Pairing.Groups {
		names = append(names, g.Pool)
	}
	return names
}

// covers reports whether an exception speaks of a finding. An exception without what its rule needs covers nothing.
// key gives the key of a pool's name.
func covers(e *schema.Exception, f *schema.Finding, key func(string) string) bool {
	if !ruleMatches(e.Rule, f.Rule) || strings.HasPrefix(f.Rule, "exception/") || e.Pool != f.Pool && key(e.Pool) != key(f.Pool) {
		return false
	}
	// What the finding's own rule needs counts, also where the exception names a whole area.
	own := *e
	own.Rule = f.Rule
	if len(rules.Lacks(&own)) > 0 {
		return false
	}
	return (e.Side == "" || e.Side == f.At.Side || f.Rule == "pool/missing-copy" && string(e.Side) == f.Field) &&
		(e.Member == "" || sameMember(e.Member, f.Member)) &&
		(e.Field == "" || e.Field == f.Field || e.Field == f.Item.String()+"."+f.Field)
}

func sameMember(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := schema.SplitEndpoint(a)
	y, ok2 := schema.SplitEndpoint(b)
	return ok && ok2 && x.Host == y.Host && x.Port == y.Port
}
