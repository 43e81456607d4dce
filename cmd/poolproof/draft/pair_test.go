package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/reconcile"
)

// backend and pool write a pool of the gateway and of the application with members 10.0.NET.1 to 10.0.NET.n.
func backend(name string, net, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "backend %s\n    mode http\n", name)
	for i := range n {
		fmt.Fprintf(&b, "    server s%d 10.0.%d.%d:8080\n", i, net, i+1)
	}
	return b.String()
}

func pool(name string, net, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %q:\n    members:\n", name)
	for i := range n {
		fmt.Fprintf(&b, "      - {address: 10.0.%d.%d, port: 8080}\n", net, i+1)
	}
	return b.String()
}

func page(name string, net, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n| Address | Port |\n|---|---|\n", name)
	for i := range n {
		fmt.Fprintf(&b, "| 10.0.%d.%d | 8080 |\n", net, i+1)
	}
	return b.String() + "\n"
}

// TestOnePool: names that differ by usual words, and names that differ altogether above the same addresses, are one pool
// where nothing else could be. The wanted lines are the whole list of pools.
func TestOnePool(t *testing.T) {
	for _, c := range []struct{ name, gateway, app, doc, want string }{
		{"three sides", backend("be_orders", 1, 4) + backend("be_stock", 2, 2) + backend("be_payments", 3, 2), pool("orders", 1, 4) + pool("stock", 2, 2), page("Orders pool", 1, 4) + page("Payments pool", 3, 2), `
  orders: {names: {gateway: be_orders}}  # gateway, app, doc; the names differ by usual words alone, and 4 of 4 addresses are the same
  payments: {names: {gateway: be_payments}}  # gateway, doc; the names differ by usual words alone, and 2 of 2 addresses are the same
  stock: {names: {gateway: be_stock}}  # gateway, app; the names differ by usual words alone, and 2 of 2 addresses are the same
`},
		{"words on both ends", backend("prod-orders-backend", 1, 3), pool("ordersService", 1, 3), "", `
  ordersService: {names: {gateway: prod-orders-backend}}  # gateway, app; the names differ by usual words alone, and 3 of 3 addresses are the same
`},
		{"Chinese", backend("be_orders", 1, 3), "", page("orders服务地址池", 1, 3), `
  be_orders: {names: {doc: "orders服务地址池"}}  # gateway, doc; the names differ by usual words alone, and 3 of 3 addresses are the same
`},
		{"addresses that drifted", backend("be_orders", 1, 4), pool("orders", 1, 2), "", `
  orders: {names: {gateway: be_orders}}  # gateway, app; the names differ by usual words alone, and 2 of 4 addresses are the same
`},
		{"other names, same addresses", backend("edge_7", 1, 3), pool("orders", 1, 3), "", `
  orders: {names: {gateway: edge_7}}  # gateway, app; 3 of 3 addresses are the same
`},
		{"environments in names", backend("be_orders_prod", 1, 2) + backend("be_orders_test", 2, 2), pool("orders-test", 2, 2) + pool("orders-prod", 1, 2), "", `
  orders-prod: {names: {gateway: be_orders_prod}}  # gateway, app; the names differ by usual words alone, and 2 of 2 addresses are the same
  orders-test: {names: {gateway: be_orders_test}}  # gateway, app; the names differ by usual words alone, and 2 of 2 addresses are the same
`},
		{"name outweighs a twin", backend("be_orders", 1, 3) + backend("be_orders_canary", 1, 3), pool("orders", 1, 3), "", `
  orders: {names: {gateway: be_orders}}  # gateway, app; the names differ by usual words alone, and 3 of 3 addresses are the same
  # be_orders_canary: gateway alone
`},
		{"same names everywhere", backend("orders", 1, 3), pool("orders", 1, 3), "", `
  orders: {}  # gateway, app
`},
		// Never on doubt.
		{"two that fit", backend("edge_7", 1, 3) + backend("edge_8", 1, 3), pool("orders", 1, 3), "", `
  # orders: {names: {gateway: edge_7}}  # if edge_7 and orders are one pool (3 of 3 addresses are the same); not sure: another name fits as well
  # orders: {names: {gateway: edge_8}}  # if edge_8 and orders are one pool (3 of 3 addresses are the same); not sure: another name fits as well
  # orders: app alone
`},
		{"two that claim", backend("be_orders", 1, 3), pool("orders-svc", 1, 3) + pool("orders", 1, 3), "", `
  # orders: {names: {gateway: be_orders}}  # if be_orders and orders are one pool (the names differ by usual words alone, and 3 of 3 addresses are the same); not sure: another name fits as well
  # orders-svc: {names: {gateway: be_orders}}  # if be_orders and orders-svc are one pool (the names differ by usual words alone, and 3 of 3 addresses are the same); not sure: another name fits as well
  # orders: app alone
  # orders-svc: app alone
`},
		{"name says one, addresses the other", backend("be_orders", 1, 3) + backend("edge", 2, 3), pool("orders", 2, 3), "", `
  # orders: {names: {gateway: be_orders}}  # if be_orders and orders are one pool (the names differ by usual words alone, but no address is the same); not sure: another name fits as well
  # orders: {names: {gateway: edge}}  # if edge and orders are one pool (3 of 3 addresses are the same); not sure: another name fits as well
  # orders: app alone
`},
		{"other addresses", backend("be_orders", 1, 3), pool("orders", 2, 3), "", `
  # orders: {names: {gateway: be_orders}}  # if be_orders and orders are one pool (the names differ by usual words alone, but no address is the same)
  # orders: app alone
`},
		{"one address of a common host", backend("be_orders", 1, 1), pool("stock", 1, 1), "", `
  # stock: {names: {gateway: be_orders}}  # if be_orders and stock are one pool (1 of 1 addresses are the same)
  # stock: app alone
`},
		{"nothing in common", backend("be_orders", 1, 2), pool("stock", 2, 2), "", `
  # be_orders: gateway alone
  # stock: app alone
`},
	} {
		files := map[string]string{"gateway/haproxy.cfg": c.gateway}
		if c.app != "" {
			files["pools.yaml"] = "pools:\n" + c.app
		}
		if c.doc != "" {
			files["docs/a.md"] = c.doc
		}
		text := draftOf(t, files).YAML("en")
		_, list, _ := strings.Cut(text[strings.Index(text, "\npools:")+1:], "\n")
		if got := strings.ReplaceAll(list, `"`, ""); got != strings.ReplaceAll(c.want[1:], `"`, "") {
			t.Errorf("%s:\n%s", c.name, list)
		}
	}
}

func TestEssence(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"be_orders", "orders", true}, {"backend-orders", "orders_svc", true}, {"bk_orders", "Orders service", true}, {"upstream_orders", "orders-cluster", true},
		{"ordersPool", "orders", true}, {"订单服务", "订单地址池", true}, {"orders-prod", "orders", true}, {"be_order_items", "order-items", true},
		{"订单池服务", "订单", true}, {"orders-prod", "orders-test", false}, {"orders_http", "orders_grpc", false}, {"orders-api", "orders", false}, {"backend", "pool", false},
		{"orders1", "orders2", false}, {"", "", false}, {"be_orders", "be_stock", false},
	} {
		if got, _ := essenceOf(c.a).same(essenceOf(c.b)); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// TestManyPools: among very many pools, the same are found without comparing all with all.
func TestManyPools(t *testing.T) {
	const n = 400
	var gateway, app strings.Builder
	for i := range n {
		gateway.WriteString(backend(fmt.Sprintf("be_svc%dx", i), i%250, 1+i/250))
		app.WriteString(pool(fmt.Sprintf("svc%dx", i), i%250, 1+i/250))
	}
	d := draftOf(t, map[string]string{"gateway/haproxy.cfg": gateway.String(), "pools.yaml": "pools:\n" + app.String()})
	paired := 0
	for _, p := range d.Pools {
		if len(p.Sides) == 2 && reconcile.Key(p.Names["gateway"]) == "be"+reconcile.Key(p.Name) {
			paired++
		}
	}
	if paired != n {
		t.Errorf("%d of %d pools were found to be one", paired, n)
	}
	if written := strings.Count(d.YAML("en"), "{names: {gateway: "); written != n {
		t.Errorf("%d entries for %d pools: nothing else pairs them", written, n)
	}
}
