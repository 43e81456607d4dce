package section

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

func builder() *Builder {
	return New(sources.Input{Path: "a.md", Source: &schema.Source{Side: schema.Doc, Env: "prod", Profile: "p"}}, "markdown", nil)
}

// at returns a cell at some place of its own.
func at(start int, text string) Cell { return Cell{Text: text, At: schema.At(start, start+len(text))} }

// table builds a table of rows of cells; the first is the header.
func table(start int, rows ...string) *Table {
	t := &Table{At: schema.At(start, start+100), HeaderText: rows[0], HeaderAt: schema.At(start, start+1)}
	for i, r := range rows {
		var cells []Cell
		for j, text := range strings.Split(r, "|") {
			cells = append(cells, at(start+10*i+j, text))
		}
		if i == 0 {
			t.Header, t.Rule = cells, len(cells)
			continue
		}
		t.Rows = append(t.Rows, Row{Cells: cells, At: schema.At(start+10*i, start+10*i+9), Count: len(cells)})
	}
	return t
}

func names(c schema.Copy) []string {
	var out []string
	for _, n := range c.Candidates {
		out = append(out, n.Text)
	}
	return out
}

func TestCandidates(t *testing.T) {
	b := builder()
	b.Heading(0, 1, at(1, "Service"), nil)
	b.Heading(0, 2, at(20, "Pool orders"), []Cell{at(25, "orders"), at(25, "orders")})
	b.Heading(1, 1, at(40, "Quoted"), nil)
	b.Table(1, table(100, "Host|Port", "a.example|80"))
	b.Heading(0, 3, at(60, "Members"), nil)
	b.Table(0, table(300, "Host|Port", "b.example|80"))
	b.Heading(0, 2, at(80, "Other"), nil)
	b.Table(0, table(500, "Host|Port", "c.example|80"))
	r := b.Result()
	want := [][]string{{"Quoted", "Pool orders", "orders", "Service"}, {"Members", "Pool orders", "orders", "Service"}, {"Other", "Service"}}
	if len(r.Copies) != len(want) {
		t.Fatalf("%d copies", len(r.Copies))
	}
	for i, c := range r.Copies {
		if diff := cmp.Diff(want[i], names(c)); diff != "" {
			t.Errorf("copy %d: %s", i, diff)
		}
		if c.Pool != want[i][0] || c.Env != "prod" || c.Profile != "p" || c.Format != "markdown" || c.Side != schema.Doc || c.File() != "a.md" || !c.Complete {
			t.Errorf("copy %d: %+v", i, c)
		}
	}
}

func TestUnnumbered(t *testing.T) {
	for title, want := range map[string]string{
		"3.2 Orders": "Orders", "3. Orders": "Orders", "3) Orders": "Orders", "12 Orders": "Orders", "(3) Orders": "Orders", "3.2. Orders (be_orders)": "Orders (be_orders)",
		"§ 4 Orders": "Orders", "三、订单": "订单", "3、订单": "订单", "3.订单": "订单", "（二）订单": "订单", "3：订单": "订单", "十二. 订单": "订单",
		"Orders": "Orders", "3": "3", "3.": "3.", "3d-render": "3d-render", "10gw": "10gw", "(3": "(3", "(see) Orders": "(see) Orders", ".5 x": ".5 x", "": "", "一网通": "一网通",
	} {
		if got := unnumbered(Cell{Text: title}); got.Text != want {
			t.Errorf("%q: %q instead of %q", title, got.Text, want)
		}
	}
	b := builder()
	b.Heading(0, 2, at(20, "3.2 Orders"), []Cell{at(25, "orders")})
	b.Table(0, table(300, "Host|Port", "b.example|80"))
	c := b.Result().Copies[0]
	if diff := cmp.Diff([]string{"3.2 Orders", "Orders", "orders"}, names(c)); diff != "" || c.Pool != "3.2 Orders" {
		t.Error(c.Pool, diff)
	}
}

func TestEffectiveHoldsForSubsections(t *testing.T) {
	b := builder()
	b.Heading(0, 1, at(1, "Service"), nil)
	b.Line(0, "Effective: 2026-01-01", 10)
	b.Heading(0, 2, at(40, "a"), nil)
	b.Table(0, table(100, "Host|Port", "a.example|80"))
	b.Heading(0, 2, at(50, "b"), nil)
	b.Table(0, table(300, "Host|Port", "b.example|80"))
	b.Heading(0, 3, at(60, "生效时刻：2026-02-01"), nil)
	b.Heading(0, 2, at(90, "c"), nil)
	b.Table(0, table(500, "Host|Port|Effective", "c.example|80|2026-03-01"))
	var got []string
	for _, c := range b.Result().Copies {
		got = append(got, c.Pool+" "+c.Effective.Format("2006-01-02"))
	}
	if diff := cmp.Diff([]string{"a 2026-01-01", "b 2026-02-01", "c 2026-03-01"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSectionsOfOneHeadingAreOneCopy(t *testing.T) {
	b := builder()
	b.Heading(0, 1, at(1, "a"), nil)
	b.Table(0, table(100, "Host|Port", "a.example|80"))
	b.Text(0)
	b.Table(0, table(300, "Parameter|Value", "Probe interval|2 s"))
	r := b.Result()
	if len(r.Copies) != 1 || len(r.Copies[0].Members) != 1 || len(r.Copies[0].Fields) != 1 || !r.Copies[0].States(schema.Probe) {
		t.Errorf("%+v", r.Copies)
	}
}

func TestHeadingsAloneAreNoCopies(t *testing.T) {
	b := builder()
	b.Heading(0, 1, at(1, "a"), nil)
	b.Line(0, "Effective: never", 10)
	b.Table(0, table(100, "Team|Phone", "x|4711"))
	b.Table(0, table(200, "Parameter|Value", "Owner|x"))
	if r := b.Result(); len(r.Copies) != 0 || len(r.Problems) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestCarrier(t *testing.T) {
	b := builder()
	b.Heading(0, 1, at(1, "a"), nil)
	broken := table(100, "Host|Port", "a.example|80")
	broken.Flaw, broken.Rule = Mismatch, 3
	b.Table(0, broken)
	r := b.Result()
	if len(r.Copies) != 1 || len(r.Copies[0].Problems) != 1 || r.Copies[0].States(schema.Members) {
		t.Fatalf("%+v", r.Copies)
	}
	if _, ok := r.Copies[0].Get(Carrier); !ok {
		t.Error("not marked as a carrier of problems")
	}
}

func TestAttribute(t *testing.T) {
	type pair struct{ Key, Value string }
	for text, want := range map[string][]pair{
		" pool=orders item=members ":       {{"pool", "orders"}, {"item", "members"}},
		`pool="Orders pool", item='probe'`: {{"pool", "Orders pool"}, {"item", "probe"}},
		`pool="open`:                       {{"pool", "open"}},
		"pool=":                            {{"pool", ""}},
		"pool":                             {{"pool", ""}},
		"":                                 nil,
		" , ":                              nil,
	} {
		var got []pair
		for rest := text; ; {
			key, value, valueAt, next := attribute(rest)
			if key == "" {
				break
			}
			if rest[valueAt:valueAt+len(value)] != value {
				t.Errorf("%q: the value does not stand at %d", rest, valueAt)
			}
			got = append(got, pair{key, value})
			rest = rest[next:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestPlaces(t *testing.T) {
	p := place{list: members, index: 3, leaf: "weight"}
	if p.Path() != "members[3].weight" || p.field() != "weight" {
		t.Errorf("%s %s", p.Path(), p.field())
	}
	if p.leaf = "port"; p.Path() != "members[3]" || p.field() != "port" { // without a port nobody knows the member
		t.Errorf("%s %s", p.Path(), p.field())
	}
	if p = (place{path: "probe.interval"}); p.Path() != "probe.interval" || p.field() != "interval" {
		t.Errorf("%s %s", p.Path(), p.field())
	}
}
