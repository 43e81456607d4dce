package audit

import (
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// weigher gives findings their severity and applies exceptions. After it is made it is only read.
type weigher struct {
	manifest *schema.Manifest
	options  *Options
	rules    map[string]*rules.Rule
	pools    map[string]*schema.PoolEntry
	paths    map[string]bool // that maps of the manifest read by
	// stray are the paths of maps that lead nowhere in any file of their source; echoes are the copies that would say so
	// once more.
	stray  []schema.Problem
	echoes map[echo]bool
	// further decides in place of the touched files; it may be nil.
	further func(*reconcile.Group) bool
	// known are pools that are passed over; it may be nil.
	known func(*reconcile.Group) bool
}

func newWeigher(m *schema.Manifest, o *Options) *weigher {
	w := &weigher{manifest: m, options: o, rules: map[string]*rules.Rule{}, pools: map[string]*schema.PoolEntry{}, paths: mapPaths(m.Sources)}
	for i := range o.Rules {
		w.rules[o.Rules[i].ID] = &o.Rules[i]
	}
	for i := range m.Pools {
		w.pools[m.Pools[i].Name] = &m.Pools[i]
	}
	return w
}

// wants reports whether a pool is to be reported.
func (w *weigher) wants(g *reconcile.Group) bool {
	o := w.options
	if o.Env != "" && g.Env != o.Env && g.Env != "" {
		return false
	}
	if len(o.Pools) > 0 {
		match := false
		for _, p := range o.Pools {
			match = match || p == g.Pool || reconcile.Key(p) == reconcile.Key(g.Pool)
		}
		if !match {
			return false
		}
	}
	if w.further != nil {
		return w.further(g)
	}
	if o.Touched != nil {
		for _, c := range g.Copies {
			for _, f := range c.Files {
				if o.Touched[f] {
					return true
				}
			}
		}
		return false
	}
	return true
}

// weigh applies severities from the manifest and the command line's choice of rules, and drops what is off.
func (w *weigher) weigh(findings []schema.Finding, run *rules.Run) []schema.Finding {
	out := findings[:0]
	for _, f := range findings {
		if len(w.options.RuleNames) > 0 && !matches(w.options.RuleNames, f.Rule) {
			continue
		}
		f.Severity = w.severity(&f)
		if f.Severity == schema.Off {
			continue
		}
		out = append(out, f)
	}
	return out
}

func matches(names []string, rule string) bool {
	for _, n := range names {
		if ruleMatches(n, rule) {
			return true
		}
	}
	return false
}

// ruleMatches reports whether a name of the manifest ("members/missing", "members/*", "*") covers a rule.
func ruleMatches(name, rule string) bool {
	if name == rule || name == "*" {
		return true
	}
	area, ok := strings.CutSuffix(name, "/*")
	return ok && strings.HasPrefix(rule, area+"/")
}

func (w *weigher) severity(f *schema.Finding) schema.Severity {
	s := f.Severity
	apply := func(list []schema.SeverityRule) {
		for _, e := range list {
			if ruleMatches(e.Rule, f.Rule) {
				s = e.Severity
			}
		}
	}
	apply(w.manifest.Severity)
	apply(w.manifest.Defaults.Severity)
	if e := w.pools[f.Pool]; e != nil {
		apply(e.Severity)
	}
	return s
}
