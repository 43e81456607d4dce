package baddays_test

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/baddays"
	"github.com/poolproof/poolproof/schema"
)

func pool(members ...schema.Member) *schema.Copy {
	c := &schema.Copy{Pool: "p", Profile: "haproxy-2.6", Files: []string{"p"}, Members: members, Complete: true}
	c.Touch(schema.Members, schema.At(1, 2))
	return c
}

func load(rps float64) *dryrun.Traffic {
	return &dryrun.Traffic{RPS: rps, P50: 10 * time.Millisecond, P99: 50 * time.Millisecond}
}

// TestEveryDay plays every bad day on an ordinary pool: each names members that there are, and hurts somebody.
func TestEveryDay(t *testing.T) {
	c := pool(schema.Member{Host: "10.0.0.1", Port: 80}, schema.Member{Host: "fd00::2", Port: 80}, schema.Member{Socket: `/run/"odd" {{name}}.sock`})
	for _, name := range baddays.Names() {
		t.Run(name, func(t *testing.T) {
			traffic := load(30)
			s, why := baddays.Scenario(name, c, traffic)
			if s == nil {
				t.Fatal(why.En)
			}
			if s.Name != name || len(s.Expect) > 0 {
				t.Errorf("it is called %q and has %d expectations", s.Name, len(s.Expect))
			}
			o := dryrun.Options{Copy: c, Traffic: traffic}
			for _, p := range dryrun.Unknown(s, o) {
				t.Error(p.Text.En)
			}
			r, err := dryrun.Run(s, o)
			if err != nil {
				t.Fatal(err)
			}
			m := r.Metrics
			throttled := uint64(0)
			for _, x := range m.Statuses {
				if x.Status == 429 {
					throttled = x.Count
				}
			}
			if m.Errors == 0 && throttled == 0 && m.P99 < time.Second {
				t.Errorf("nobody was hurt: %+v", m)
			}
		})
	}
}

func TestSharedMembersAreHitTogether(t *testing.T) {
	shares := []schema.Field{{Path: "shares", Value: schema.ListOf("link-a")}}
	c := pool(schema.Member{Host: "10.0.0.1", Port: 80, Extra: shares}, schema.Member{Host: "10.0.0.2", Port: 80, Extra: shares}, schema.Member{Host: "10.0.0.3", Port: 80})
	s, why := baddays.Scenario("one-quota", c, load(10))
	if s == nil {
		t.Fatal(why.En)
	}
	if hit := s.Events[0].Fault.Members; len(hit) != 2 || hit[0] != "10.0.0.1:80" || hit[1] != "10.0.0.2:80" {
		t.Errorf("it hits %q", hit)
	}
}

func TestOddPools(t *testing.T) {
	for name, c := range map[string]*schema.Copy{
		"no members": pool(),
		"disabled":   pool(schema.Member{Host: "a", Port: 1, State: schema.Disabled}),
		"weight 0":   pool(schema.Member{Host: "a", Port: 1, HasWeight: true}),
	} {
		for _, day := range baddays.Names() {
			if s, why := baddays.Scenario(day, c, load(10)); s != nil || why.En == "" || why.Zh == "" {
				t.Errorf("%s, %s: %v %q", name, day, s, why.En)
			}
		}
	}
	if s, why := baddays.Scenario("sunday", pool(schema.Member{Host: "a", Port: 1}), load(10)); s != nil || why.En == "" {
		t.Error("a day that there is not")
	}
}
