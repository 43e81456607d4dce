package baddays_test

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/baddays"
	"github.com/poolproof/poolproof/schema"
)

// TestFate: two of three members share a link. Where its fault takes all three out, that is told; where the third stays, or
// nobody says that anything is shared, it is not.
func TestFate(t *testing.T) {
	sum := func(allOut float64) *dryrun.Summary {
		return &dryrun.Summary{Metrics: []dryrun.MetricSummary{{Name: "flaps"}, {Name: "all-out", Spread: dryrun.Spread{Low: allOut, Median: allOut, High: allOut}}}}
	}
	link := []schema.Field{{Path: "shares", Value: schema.ListOf("link-a")}}
	own := []schema.Field{{Path: "shares", Value: schema.ListOf("link-b")}}
	some := pool(schema.Member{Host: "a", Port: 1, Extra: link}, schema.Member{Host: "b", Port: 1, Extra: link}, schema.Member{Host: "c", Port: 1, Extra: own})
	all := pool(schema.Member{Host: "a", Port: 1, Extra: link}, schema.Member{Host: "b", Port: 1, Extra: link})
	none := pool(schema.Member{Host: "a", Port: 1}, schema.Member{Host: "b", Port: 1, Extra: own})
	drained := pool(schema.Member{Host: "a", Port: 1, Extra: link}, schema.Member{Host: "b", Port: 1, Extra: link}, schema.Member{Host: "c", Port: 1, Extra: own, State: schema.Disabled})
	for _, c := range []struct {
		what string
		day  string
		pool *schema.Copy
		sum  *dryrun.Summary
		want bool
	}{
		{"all out", "shared-link-hang", some, sum(2.5), true},
		{"one stays", "shared-link-hang", some, sum(0), false},
		{"another day", "dead-upstream", some, sum(2.5), false},
		{"all share it", "shared-link-hang", all, sum(2.5), false},
		{"all that are active share it", "shared-link-hang", drained, sum(2.5), false},
		{"nothing is shared", "shared-link-hang", none, sum(2.5), false},
		{"not played", "shared-link-hang", some, nil, false},
	} {
		f, ok := baddays.FateOf(c.day, c.pool, load(10), c.sum)
		if ok != c.want || ok && (f.Common != "link-a" || len(f.Members) != 2 || f.AllOut != 2500*time.Millisecond) {
			t.Errorf("%s: %+v, %v", c.what, f, ok)
		}
	}
}
