package haproxy

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/failover"
)

// TestRounds holds the order of servers of different weights against what HAProxy 2.6.12 was seen to do.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		balance string
		weights []int64
		want    string
	}{
		{"roundrobin", []int64{2, 1}, "1 1 2 1 1 2"},
		{"roundrobin", []int64{3, 2, 1}, "1 2 1 3 1 2 1 2 1 3 1 2"},
		{"roundrobin", []int64{5, 3, 7}, "3 1 3 2 1 3 3 1 2 3 1 3 3 1 2 3 1 3 2 1 3 3 1 2 3 1 3 3 1 2"},
		{"static-rr", []int64{3, 2, 1}, "1 1 2 1 2 3 1 1 2 1 2 3"},
		{"static-rr", []int64{5, 3, 7}, "1 2 3 1 3 1 3 2 3 1 3 1 3 2 3 1 2 3 1 3 1 3 2 3 1 3 1 3 2 3"},
	} {
		b := backend(len(c.weights), "balance", c.balance)
		for i, w := range c.weights {
			b.Members[i].HasWeight, b.Members[i].Weight = true, w
		}
		if got := strings.TrimSpace(newRig(t, b).picks(len(strings.Fields(c.want)))); got != c.want {
			t.Errorf("%s %v: %s, not %s", c.balance, c.weights, got, c.want)
		}
	}
}

// TestAvoidedServerKeepsItsTurn: a server whose connection was refused is passed over, and the others get its requests
// by their weights, also a small one.
func TestAvoidedServerKeepsItsTurn(t *testing.T) {
	b := backend(3, "option redispatch", 1)
	for i, w := range []int64{256, 1, 100} {
		b.Members[i].HasWeight, b.Members[i].Weight = true, w
	}
	g := newRig(t, b)
	count := [3]int{}
	for range 357 {
		var r failover.Request
		r.Reset()
		d := g.Pick(g.now, &r)
		for d.Action == failover.Send {
			o := failover.Outcome{Kind: failover.Refused}
			if r.Lease.Member > 0 {
				count[r.Lease.Member]++
				o = failover.Outcome{Status: 200}
			}
			d = g.Report(g.now, &r, o)
		}
	}
	if count[1] > 8 || count[1]+count[2] != 357 {
		t.Errorf("instead of the first, the second answers %d and the third %d", count[1], count[2])
	}
}
