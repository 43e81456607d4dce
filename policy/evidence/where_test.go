package evidence

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func TestChangedAt(t *testing.T) {
	at := func(n int) schema.Span { return schema.At(n, n+1) }
	member := func(host string, weight int64, n int) schema.Member {
		return schema.Member{Host: host, Port: 80, HasWeight: true, Weight: weight, At: at(n)}
	}
	batch := func(share float64, n int) schema.Batch { return schema.Batch{HasShare: true, Share: share, At: at(n)} }
	interval := func(d time.Duration, n int) schema.Field {
		return schema.Field{Path: "probe.interval", Value: schema.DurationOf(d), At: at(n)}
	}
	path := schema.Field{Path: "probe.path", Value: schema.TextOf("/up"), At: at(50)}
	for name, c := range map[string]struct {
		item          schema.Item
		before, after schema.Copy
		want          schema.Span
	}{
		"an added member": {schema.Members, schema.Copy{Members: []schema.Member{member("a", 1, 1)}},
			schema.Copy{Members: []schema.Member{member("a", 1, 11), member("b", 1, 12)}}, at(12)},
		"a changed weight": {schema.Members, schema.Copy{Members: []schema.Member{member("a", 1, 1), member("b", 1, 2)}},
			schema.Copy{Members: []schema.Member{member("a", 1, 11), member("b", 2, 12)}}, at(12)},
		"a removed member": {schema.Members, schema.Copy{Members: []schema.Member{member("a", 1, 1), member("b", 1, 2)}},
			schema.Copy{Members: []schema.Member{member("a", 1, 11)}}, schema.Span{}},
		"a changed value": {schema.Probe, schema.Copy{Fields: []schema.Field{path, interval(time.Second, 1)}},
			schema.Copy{Fields: []schema.Field{path, interval(2*time.Second, 11)}}, at(11)},
		"a value of another item": {schema.Cooldown, schema.Copy{Fields: []schema.Field{interval(time.Second, 1)}},
			schema.Copy{Fields: []schema.Field{interval(2*time.Second, 11)}}, schema.Span{}},
		"a changed batch": {schema.Ramp, schema.Copy{Batches: []schema.Batch{batch(0.1, 1), batch(1, 2)}},
			schema.Copy{Batches: []schema.Batch{batch(0.1, 11), batch(0.5, 12), batch(1, 13)}}, at(12)},
		"a changed stop": {schema.Ramp, schema.Copy{Stops: []schema.Stop{{Metric: "error-rate", HasAbove: true, Above: 1, At: at(1)}}},
			schema.Copy{Stops: []schema.Stop{{Metric: "error-rate", HasAbove: true, Above: 2, At: at(11)}}}, at(11)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := changedAt(&c.before, &c.after, c.item); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	whole := schema.Copy{Members: []schema.Member{member("a", 1, 11)}}
	if got := changedAt(nil, &whole, schema.Members); got != at(11) {
		t.Errorf("a new copy: %+v", got)
	}
}
