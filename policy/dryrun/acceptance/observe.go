package acceptance

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// stay is one absence of the target, or of one part of its traffic.
type stay struct {
	scope string // empty: the whole member
	out   time.Duration
	back  time.Duration // negative: it did not come back
	why   schema.Text
}

// turns reports whether an entry of a timeline takes something out, and returns whether one brings it back.
func turns(event string) (out, back bool) {
	switch event {
	case "out", "cooling", "manual":
		return true, false
	case "in", "ramping":
		return false, true
	}
	return false, false
}

// stays lists the absences of a member that began at from or later. Where parts of its traffic go and return one by one,
// these are listed, else the member as a whole.
func (r *run) stays(id string, from time.Duration) []stay {
	var whole, parts []stay
	open := map[string]int{}
	for _, e := range r.Timeline {
		scope, mine := strings.CutPrefix(e.Member, id)
		if !mine || scope != "" && scope[0] != ' ' {
			continue
		}
		scope = strings.TrimPrefix(scope, " ")
		list := &parts
		if scope == "" {
			list = &whole
		}
		out, back := turns(e.Event)
		i, is := open[scope]
		switch {
		case out && !is:
			open[scope] = len(*list)
			*list = append(*list, stay{scope, e.At, -1, e.Why})
		case back && is:
			(*list)[i].back = e.At
			delete(open, scope)
		}
	}
	if len(parts) == 0 {
		parts = whole
	}
	kept := parts[:0]
	for _, s := range parts {
		if s.out >= from {
			kept = append(kept, s)
		}
	}
	return kept
}

// of finds the first absence of a part.
func of(stays []stay, scope string) (stay, bool) {
	for _, s := range stays {
		if s.scope == scope {
			return s, true
		}
	}
	return stay{}, false
}

// firstOut returns the latest first removal over all runs. ok is false if under some seed nothing was removed.
func firstOut(runs []*run, id string, from time.Duration) (latest time.Duration, ok bool) {
	for _, r := range runs {
		s := r.stays(id, from)
		if len(s) == 0 {
			return 0, false
		}
		for i := range s {
			if first, _ := of(s, s[i].scope); first == s[i] {
				latest = max(latest, s[i].out)
			}
		}
	}
	return latest, len(runs) > 0
}

// all judges every run and returns the verdict of the first that does not hold, else of the first.
func all(runs []*run, judge func(r *run) (dryrun.Pass, schema.Text)) result {
	out := result{runs: runs, pass: dryrun.NotApplicable}
	for i, r := range runs {
		pass, observed := judge(r)
		worse := pass == dryrun.Failed && out.pass != dryrun.Failed || pass == dryrun.NotApplicable && out.pass == dryrun.Held
		if i == 0 || worse {
			out.pass, out.observed = pass, observed
			if i > 0 {
				out.observed = schema.Textf("%s (seed %d)", "%s（种子 %d）", observed, r.Seed)
			}
		}
	}
	return out
}

// held turns a condition into a verdict.
func held(ok bool) dryrun.Pass {
	if ok {
		return dryrun.Held
	}
	return dryrun.Failed
}

// seen words what became of a member.
func (r *run) seen(id string, stays []stay) schema.Text {
	if len(stays) == 0 {
		return schema.Textf("%s stayed in", "%s 未被摘除", id)
	}
	var list []schema.Text
	for i, s := range stays {
		if i == 3 {
			list = append(list, schema.Textf("%d more", "另有 %d 次", len(stays)-i))
			break
		}
		name := id
		if s.scope != "" {
			name += " " + s.scope
		}
		text := schema.Textf("%s out at %s (%s)", "%s 于 %s 摘除（%s）", name, dur(s.out), s.why)
		if s.back >= 0 {
			text = schema.Textf("%s, back at %s", "%s，%s 放回", text, dur(s.back))
		}
		list = append(list, text)
	}
	return joined(list, "; ", "；")
}

func (r *run) member(id string) (m dryrun.MemberResult) {
	for i := range r.Members {
		if r.Members[i].ID == id {
			return r.Members[i]
		}
	}
	return m
}

func (r *run) errors() schema.Text {
	return schema.Textf("%d of %d requests failed", "%[2]d 个请求中有 %[1]d 个失败", r.Metrics.Errors, r.Metrics.Requests)
}

// joined puts texts into one, with what stands between them in each language.
func joined(list []schema.Text, en, zh string) schema.Text {
	var a, b []string
	for _, t := range list {
		a, b = append(a, t.In("en")), append(b, t.In("zh"))
	}
	return schema.Text{En: strings.Join(a, en), Zh: strings.Join(b, zh)}
}
