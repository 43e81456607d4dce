package audit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// TestPoolNames: a pool's own name comes before what copies of others call theirs, and nothing is guessed.
func TestPoolNames(t *testing.T) {
	group := func(env, pool string, names ...string) *reconcile.Group {
		g := &reconcile.Group{Env: env, Pool: pool}
		for _, n := range names {
			g.Copies = append(g.Copies, &schema.Copy{Pool: n})
		}
		return g
	}
	groups := []*reconcile.Group{
		group("prod", "orders", "be_orders", "Orders address pool"),
		group("test", "orders", "be_orders", "orders"),
		group("prod", "stock", "orders-cluster", "stock"),
		group("prod", "billing", "orders", "be_billing"), // a copy of another pool goes by the name of orders
		group("prod", "shipping", "be_billing"),
	}
	for _, c := range []struct{ asked, want []string }{
		{nil, nil},
		{[]string{"orders"}, []string{"orders"}},
		{[]string{"ORDERS pool"}, []string{"orders"}},
		{[]string{"be-orders"}, []string{"orders"}},
		{[]string{"be_billing"}, []string{"billing", "shipping"}},
		{[]string{"be_orders", "orders", "stock"}, []string{"orders", "stock"}},
		{[]string{"ordres"}, []string{"ordres"}},
	} {
		if diff := cmp.Diff(c.want, PoolNames(groups, c.asked)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.asked, diff)
		}
	}
}
