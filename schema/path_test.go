package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/grammar"
)

// TestModelFollowsCUE holds the table of scalar paths equal to the CUE schema: same paths, kinds, texts and order. What is
// no scalar path of a pool is named here.
func TestModelFollowsCUE(t *testing.T) {
	g, err := grammar.Load()
	if err != nil {
		t.Fatal(err)
	}
	outside := map[string]bool{
		"members": true, "ramp.batches": true, "ramp.stop": true, // lists of their own
		"domain": true, "env": true, "engine": true, "traffic": true, "constraints": true, // of the copy, not of an item
	}
	var want []schema.Entry
	var walk func(path string, typ *grammar.Type)
	walk = func(path string, typ *grammar.Type) {
		if outside[path] {
			return
		}
		typ = g.Resolve(typ)
		fields := typ.Fields
		for _, a := range typ.Alts {
			fields = append(fields, g.Resolve(a).Fields...)
		}
		if fields != nil {
			// A scalar beside a mapping is a short form of it (growth: 2, onAllOut: pass).
			for _, f := range fields {
				walk(join(path, f.Name), f.Type)
			}
			return
		}
		want = append(want, schema.Entry{Path: schema.Path(path), Kind: kindOf(typ), Enum: typ.Enum})
	}
	walk("", g.Def("Pool").Type)
	byPath := cmpopts.SortSlices(func(a, b schema.Entry) bool { return a.Path < b.Path })
	if diff := cmp.Diff(want, schema.Model(), byPath, cmpopts.IgnoreFields(schema.Entry{}, "Compared"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("paths (-CUE +Go):\n%s", diff)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func kindOf(t *grammar.Type) schema.Kind {
	switch {
	case t.Kinds == grammar.List:
		return schema.List
	case t.Kinds == grammar.Bool:
		return schema.Bool
	case t.Kinds == grammar.Int:
		return schema.Int
	case t.Kinds == grammar.Number:
		return schema.Number
	case t.Kinds == grammar.String && t.Pattern != "":
		return schema.Duration
	case t.Kinds == grammar.String:
		return schema.TextKind
	}
	return schema.None
}

// TestEveryPathHasAnItem: paths of the model belong to items, so that copies know which item they state.
func TestEveryPathHasAnItem(t *testing.T) {
	for _, e := range schema.Model() {
		if e.Path.Item() == schema.NoItem {
			t.Errorf("%s belongs to no item", e.Path)
		}
	}
}

// TestWordsFollowCUE holds the words that Go knows by itself equal to those of the schema.
func TestWordsFollowCUE(t *testing.T) {
	g, err := grammar.Load()
	if err != nil {
		t.Fatal(err)
	}
	words := func(def, field string) []string {
		typ := g.Def(def).Type
		if field != "" {
			typ = g.Resolve(typ.Field(field).Type)
		}
		return typ.Enum
	}
	for _, w := range words("Member", "state") {
		if s, ok := schema.ParseState(w); !ok || s.String() != w {
			t.Errorf("no member state %s", w)
		}
	}
	for _, w := range words("Member", "from") {
		if o, ok := schema.ParseOrigin(w); !ok || o.String() != w {
			t.Errorf("no member origin %s", w)
		}
	}
	for _, w := range words("Side", "") {
		if !schema.Side(w).Valid() {
			t.Errorf("no side %s", w)
		}
	}
	for _, w := range words("Severity", "") {
		if s, ok := schema.ParseSeverity(w); !ok || s.String() != w {
			t.Errorf("no severity %s", w)
		}
	}
	var items []string
	for _, i := range schema.Reconciled() {
		items = append(items, i.String())
	}
	if diff := cmp.Diff(words("Item", ""), items); diff != "" {
		t.Errorf("reconciled items (-CUE +Go):\n%s", diff)
	}
	if schema.Side("live").Valid() {
		t.Error("a file can be of the side live")
	}
	if _, ok := schema.ParseOrigin("nowhere"); ok {
		t.Error("an origin that is not there")
	}
}
