package audit

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Told is what is needed to weigh findings that are made outside of an audit: of a change, of a running gateway.
type Told struct {
	Manifest *schema.Manifest
	Rules    []rules.Rule
	// Orders are the change orders whose exceptions count.
	Orders []*schema.ChangeOrder
	Now    time.Time
	// RuleNames limits what is reported, as in Options.
	RuleNames []string
}

// Scale returns a function that gives a finding the severity that the manifest sets, marks it as suppressed where a
// complete, unexpired exception of the manifest or of an order in force covers it, and reports whether it stays: not if it
// is off or not asked for. It is used by one goroutine.
func (t *Told) Scale() func(*schema.Finding) bool {
	w := newWeigher(t.Manifest, &Options{Rules: t.Rules, Now: t.Now})
	var list []*schema.Exception
	add := func(exceptions []schema.Exception) {
		for i := range exceptions {
			if t.Now.Before(exceptions[i].Expires) {
				list = append(list, &exceptions[i])
			}
		}
	}
	add(t.Manifest.Exceptions)
	for _, o := range t.Orders {
		if o.Valid && !o.Effective.After(t.Now) {
			add(o.Exceptions)
		}
	}
	return func(f *schema.Finding) bool {
		for _, e := range list {
			if f.Status != schema.Suppressed && covers(e, f, reconcile.Key) {
				f.Status = schema.Suppressed
				f.SuppressedBy = fmt.Sprintf("%s%s until %s", schema.ExceptionBy, e.Initiator, e.Expires.UTC().Format(time.RFC3339))
			}
		}
		f.Severity = w.severity(f)
		return f.Severity != schema.Off && (len(t.RuleNames) == 0 || matches(t.RuleNames, f.Rule))
	}
}
