package reconcile

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestKey(t *testing.T) {
	for _, same := range [][]string{
		{"orders", "Orders", "ORDERS ", "orders-pool", "orders_pool", "Orders address pool", "orders 地址池", "`orders`", "ＯＲＤＥＲＳ"},
		{"order-history", "order_history", "Order History", "orderHistory"},
		{"pool", "Pool"},
		{"订单", "订单地址池", "订单 地址池"},
	} {
		for _, name := range same[1:] {
			if Key(name) != Key(same[0]) {
				t.Errorf("%q is %q, %q is %q", name, Key(name), same[0], Key(same[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"orders", "order"}, {"pool", "address pool b"}, {"a-b", "a.b"}, {"订单", "库存"}} {
		if Key(pair[0]) == Key(pair[1]) {
			t.Errorf("%q and %q are one: %q", pair[0], pair[1], Key(pair[0]))
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		among []string
		want  []string
	}{
		{"orders", []string{"order", "ordres", "stock"}, []string{"order", "ordres"}},
		{"be_orders", []string{"Orders address pool"}, []string{"Orders address pool"}},
		{"orders", []string{"payments", "stock"}, nil},
		{"a", []string{"b", "c"}, nil},
		{"orders", []string{"orders-1", "orders-1", "orders-2", "orders-3", "orders-4"}, []string{"orders-1", "orders-2", "orders-3"}},
		{"orders", nil, nil},
		{"订单服务", []string{"订单", "库存"}, []string{"订单"}},
	} {
		if got := Nearest(tt.name, tt.among); !slices.Equal(got, tt.want) {
			t.Errorf("%q among %q: %q, want %q", tt.name, tt.among, got, tt.want)
		}
	}
}

// TestNearestLarge holds that near names are found among very many, and that looking them all up stays fast.
func TestNearestLarge(t *testing.T) {
	var names []string
	for i := range 10000 {
		names = append(names, fmt.Sprintf("service-%05d", i))
	}
	set := NewNames(append(names, "checkout"))
	if got := set.Nearest("chekout"); !slices.Equal(got, []string{"checkout"}) {
		t.Errorf("got %q", got)
	}
	start := time.Now()
	for _, n := range names {
		set.Nearest("x" + n)
	}
	// Comparing each with each takes minutes.
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("10,000 searches took %v", took)
	}
}
