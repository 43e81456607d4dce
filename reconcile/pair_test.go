package reconcile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// copyOf makes a copy from "side env pool"; "-" is no environment. Sections of documents name their headings, nearest
// first, after "of".
func copyOf(text string, at int) *schema.Copy {
	w := strings.Fields(text)
	c := &schema.Copy{Side: schema.Side(w[0]), Env: strings.Trim(w[1], "-"), Pool: w[2], Files: []string{w[0]}, PoolAt: schema.At(at, at+1)}
	if len(w) > 3 && w[3] == "of" {
		for _, n := range w[4:] {
			c.Candidates = append(c.Candidates, schema.Name{Text: n})
		}
	}
	c.ItemAt[schema.Members] = schema.At(at, at+1)
	return c
}

func TestPair(t *testing.T) {
	for _, tt := range []struct {
		name    string
		copies  []string
		pools   []schema.PoolEntry
		want    []string
		unbound int
	}{
		{"by spelling", []string{"gateway - be_orders", "app - BE-Orders", "doc - x of be_orders_pool"}, nil, []string{"be_orders: gateway app doc"}, 0},
		{"other names stay apart", []string{"gateway - orders", "app - order"}, nil, []string{"order: app", "orders: gateway"}, 0},
		{"the manifest's names", []string{"gateway - be1", "app - orders"}, []schema.PoolEntry{{Name: "orders", Names: map[schema.Side][]string{schema.Gateway: {"be1"}}}},
			[]string{"orders: gateway app"}, 0},
		{"environments", []string{"gateway prod orders", "gateway test orders", "app prod orders"}, nil, []string{"orders prod: gateway app", "orders test: gateway"}, 0},
		{"no environment is every one", []string{"gateway prod orders", "gateway test orders", "doc - x of orders"}, nil,
			[]string{"orders prod: gateway doc", "orders test: gateway doc"}, 0},
		{"the nearest known heading", []string{"gateway - orders", "gateway - stock", "doc - x of Members orders stock"}, nil, []string{"orders: gateway doc", "stock: gateway"}, 0},
		{"no known heading", []string{"gateway - orders", "doc - x of Members Contacts"}, nil, []string{"orders: gateway"}, 1},
		{"sections of one document are one copy", []string{"gateway - orders", "doc - x of orders", "doc - x of Probe orders"}, nil, []string{"orders: gateway doc"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var copies []*schema.Copy
			for i, text := range tt.copies {
				copies = append(copies, copyOf(text, i+1))
			}
			p := Pair(copies, &schema.Manifest{Pools: tt.pools}, nil)
			var got []string
			for _, g := range p.Groups {
				s := strings.TrimSpace(g.Pool+" "+g.Env) + ":"
				for _, c := range g.Copies {
					s += " " + string(c.Side)
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(p.Unbound) != tt.unbound {
				t.Errorf("%d unbound\n%s", len(p.Unbound), diff)
			}
		})
	}
}

// TestJoin holds that a value that two sections of a document state differently is kept as the first has it, and said.
func TestJoin(t *testing.T) {
	section := func(n int64, at int) *schema.Copy {
		c := copyOf("doc - x of orders", at)
		c.Set("probe.fall", schema.IntOf(n), schema.At(at, at+1))
		return c
	}
	for _, second := range []int64{3, 4} {
		p := Pair([]*schema.Copy{copyOf("gateway - orders", 1), section(3, 2), section(second, 3)}, &schema.Manifest{}, nil)
		doc := p.Groups[0].Of(schema.Doc)[0]
		f, _ := doc.Get("probe.fall")
		if got, want := fmt.Sprint(f.Value, len(doc.Problems)), fmt.Sprint(3, second-3); got != want {
			t.Errorf("3 and %d: %s, want %s", second, got, want)
		}
	}
}
