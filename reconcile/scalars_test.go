package reconcile

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// settings makes a copy that writes some values.
func settings(fields map[schema.Path]schema.Value) *schema.Copy {
	c := &schema.Copy{Side: schema.Gateway, Files: []string{"settings"}}
	for _, e := range schema.Model() {
		if v, ok := fields[e.Path]; ok {
			c.Set(e.Path, v, schema.At(1, 2))
		}
	}
	return c
}

func TestScalars(t *testing.T) {
	type set = map[schema.Path]schema.Value
	sec := func(n int) schema.Value { return schema.DurationOf(time.Duration(n) * time.Second) }
	list := schema.ListOf
	for _, tt := range []struct {
		name        string
		item        schema.Item
		truth, copy set
		effective   []schema.Effective
		want        []string
	}{
		{"the same", schema.Probe, set{"probe.interval": sec(5)}, set{"probe.interval": sec(5)}, nil, nil},
		{"another value", schema.Probe, set{"probe.interval": sec(5)}, set{"probe.interval": sec(7)}, nil, []string{"differs interval: 7s not 5s"}},
		{"a slip of units", schema.Cooldown, set{"cooldown.duration": sec(30)}, set{"cooldown.duration": sec(30 * 60)}, nil, []string{"differs duration: 30m not 30s x60"}},
		{"what the truth does not say", schema.Probe, set{"probe.interval": sec(5)}, set{"probe.interval": sec(5), "probe.timeout": sec(1)}, nil, nil},
		{"what the copy does not say", schema.Probe, set{"probe.interval": sec(5), "probe.timeout": sec(1)}, set{"probe.interval": sec(5)}, nil, nil},
		{"another item", schema.Cooldown, set{"probe.interval": sec(5)}, set{"probe.interval": sec(7)}, nil, nil},
		{"notes are not compared", schema.Cooldown, set{"cooldown.typicalFault": sec(5)}, set{"cooldown.typicalFault": sec(7)}, nil, nil},
		{"statuses are sets", schema.Probe, set{"probe.expect.statuses": list("2xx", "302")}, set{"probe.expect.statuses": list("302", "200-299")}, nil, nil},
		{"other statuses", schema.Probe, set{"probe.expect.statuses": list("200")}, set{"probe.expect.statuses": list("200", "204")}, nil,
			[]string{"differs expect.statuses: [200, 204] not [200]"}},
		{"a method has no case", schema.Probe, set{"probe.method": schema.TextOf("GET")}, set{"probe.method": schema.TextOf("get")}, nil, nil},
		{"a path has", schema.Probe, set{"probe.path": schema.TextOf("/Health")}, set{"probe.path": schema.TextOf("/health")}, nil, []string{"differs path: /health not /Health"}},
		{"growth by 1 is no growth", schema.Cooldown, set{"cooldown.growth.kind": schema.TextOf("constant")},
			set{"cooldown.growth.kind": schema.TextOf("exponential"), "cooldown.growth.factor": schema.NumberOf(1)}, nil, nil},

		{"the truth's default counts", schema.Probe, set{"probe.path": schema.TextOf("/")}, set{"probe.fall": schema.IntOf(2)},
			[]schema.Effective{{Path: "probe.fall", Value: schema.IntOf(3)}}, []string{"differs fall: 2 not 3"}},
		{"the truth's clamp counts", schema.Cooldown, set{"cooldown.duration": sec(10)}, set{"cooldown.duration": sec(10)},
			[]schema.Effective{{Path: "cooldown.duration", Value: sec(60), Clamped: true}}, []string{"differs duration: 10s not 1m"}},
		{"a note on a written value does not", schema.Cooldown, set{"cooldown.duration": sec(10)}, set{"cooldown.duration": sec(10)},
			[]schema.Effective{{Path: "cooldown.duration", Value: sec(60)}}, nil},
		{"one of two versions agrees", schema.Probe, set{"probe.path": schema.TextOf("/")}, set{"probe.fall": schema.IntOf(2)},
			[]schema.Effective{{Path: "probe.fall", Value: schema.IntOf(3), Unsure: true, Other: schema.IntOf(2)}}, nil},
		{"no version agrees", schema.Probe, set{"probe.path": schema.TextOf("/")}, set{"probe.fall": schema.IntOf(9)},
			[]schema.Effective{{Path: "probe.fall", Value: schema.IntOf(3), Unsure: true, Other: schema.IntOf(2)}}, []string{"differs fall: 9 not 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			truth := NewView(settings(tt.truth))
			truth.Effective = tt.effective
			if diff := cmp.Diff(tt.want, words(Scalars(tt.item, truth, settings(tt.copy)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
