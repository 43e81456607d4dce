package reconcile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpellings(t *testing.T) {
	for heading, want := range map[string][]string{
		"Orders address pool":     {"Orders address pool"},
		"2.1 Orders address pool": {"2.1 Orders address pool", "Orders address pool"},
		"3) orders":               {"3) orders", "orders"},
		"一、orders 地址池":            {"一、orders 地址池", "orders 地址池"},
		"（二）orders":               {"（二）orders", "orders"},
		"第一章 orders":              {"第一章 orders", "orders"},
		"2.1":                     {"2.1"},
		"3d-orders":               {"3d-orders"},
		"Orders (be_orders)":      {"Orders (be_orders)", "Orders", "be_orders"},
		"1. orders（生产）":           {"1. orders（生产）", "orders(生产)", "orders", "生产"},
		"Address pool: orders":    {"Address pool: orders", "orders"},
		"地址池：orders":              {"地址池：orders", "orders"},
		"Note: orders":            {"Note: orders"},
	} {
		if diff := cmp.Diff(want, spellings(heading)); diff != "" {
			t.Errorf("%s: %s", heading, diff)
		}
	}
}
