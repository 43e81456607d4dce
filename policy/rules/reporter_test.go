package rules

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// TestReporterBounded: of a rule that finds the same wrong a million times in one file, the report names so many, and
// counts the others in one finding that is as severe as the gravest of them.
func TestReporterBounded(t *testing.T) {
	var r Reporter
	a, b := &schema.Copy{Files: []string{"a"}}, &schema.Copy{Files: []string{"b"}}
	one, two := &Rule{ID: "x/one", Severity: schema.Warning}, &Rule{ID: "x/two", Severity: schema.Warning}
	hit := func(c *schema.Copy, n int, s schema.Severity) {
		for range n {
			r.Hit(Hit{Copy: c, Member: "m", Text: schema.Textf("found", "发现"), Severity: s})
		}
	}
	r.For(one, nil)
	hit(a, maxHits+3, schema.DefaultSeverity)
	hit(a, 1, schema.Error)
	hit(b, maxHits, schema.DefaultSeverity)
	r.For(two, nil)
	hit(b, maxHits, schema.DefaultSeverity)
	found := r.Findings()
	if len(found) != 3*maxHits+1 {
		t.Fatalf("%d findings", len(found))
	}
	for i, f := range found {
		if rest := strings.HasPrefix(f.Message.En, "4 more findings"); rest != (i == maxHits) {
			t.Fatalf("%d: %s", i, f.Message.En)
		}
	}
	if f := found[maxHits]; f.Rule != "x/one" || f.Severity != schema.Error || f.Member != "" || f.At.File != "a" {
		t.Errorf("%+v", f)
	}
}
