package grammar

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, text string) *Grammar {
	t.Helper()
	g, err := Read(fstest.MapFS{"a.cue": {Data: []byte("package a\n" + text)}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestExpressions(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   Type
	}{
		{`string`, Type{Kinds: String}},
		{`_`, Type{Kinds: Any, Open: true}},
		{`int & >=1 & <=65535`, Type{Kinds: Int, Min: &Bound{Value: 1}, Max: &Bound{Value: 65535}}},
		{`(number & >0)`, Type{Kinds: Number, Min: &Bound{Exclusive: true}}},
		{`=~"^a$"`, Type{Kinds: String, Pattern: "^a$"}},
		{`string & !=""`, Type{Kinds: String, Not: []string{""}}},
		{`strings.MinRunes(1) & strings.MaxRunes(9)`, Type{Kinds: String, MinRunes: 1, MaxRunes: 9}},
		{`time.Time`, Type{Kinds: String, Time: true}},
		{`#B`, Type{Ref: "B"}},
		{`"x" | *"y"`, Type{Kinds: String, Enum: []string{"x", "y"}, Default: "y"}},
		{`bool | *false`, Type{Kinds: Bool, Default: "false"}},
		{`int | *500`, Type{Kinds: Int, Default: "500"}},
		{`bool | "x" | "y"`, Type{Alts: []*Type{{Kinds: Bool}, {Kinds: String, Enum: []string{"x", "y"}}}}},
		{`[...string]`, Type{Kinds: List, Elem: &Type{Kinds: String}}},
		{`{...}`, Type{Kinds: Map, Open: true}},
		{`[string]: int`, Type{Kinds: Map, Rest: []Rest{{Key: &Type{Kinds: String}, Value: &Type{Kinds: Int}}}}},
		{`{a!: int, b?: string}`, Type{Kinds: Map, Fields: []Field{
			{Name: "a", Required: true, Type: &Type{Kinds: Int}}, {Name: "b", Type: &Type{Kinds: String}}}}},
		{`{#E, b?: string}`, Type{Kinds: Map, Fields: []Field{
			{Name: "e", Type: &Type{Kinds: Int}}, {Name: "b", Type: &Type{Kinds: String}}}}},
		// What this package does not know is left to CUE whole.
		{`a + 1`, Type{Opaque: "a + 1"}},
		{`#B & {c?: int}`, Type{Opaque: "#B & {c?: int}"}},
		{`[int, int]`, Type{Opaque: "[int, int]"}},
		{`{a: 1}`, Type{Opaque: "{a: 1}"}},
		{`int | *"x" | *5.5`, Type{Opaque: "a default outside the other branches: 5.5"}},
		{`{if a {b?: 1}}`, Type{Opaque: "{if a {b?: 1}}"}},
		{`strings.MinRunes(n)`, Type{Opaque: "strings.MinRunes(n)"}},
		{`>=1 & >=2`, Type{Opaque: ">=1 & >=2"}},
		{`string & >=2`, Type{Opaque: "string & >=2"}},
	} {
		got := read(t, "#A: "+tt.source+"\n#B: string\n#E: {e?: int}\n").Def("A").Type
		if diff := cmp.Diff(&tt.want, got, cmp.Comparer(func(a, b []string) bool { return cmp.Equal(append([]string{}, a...), append([]string{}, b...)) })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.source, diff)
		}
	}
}

func TestDocumentation(t *testing.T) {
	g := read(t, "// A is\n// documented.\n#A: {\n\t// A field.\n\tf?: int\n\t// Other keys.\n\t[string]: int\n}\n")
	d := g.Def("A")
	if d.Doc != "A is documented." || d.Type.Field("f").Doc != "A field." || d.Type.Rest[0].Doc != "Other keys." {
		t.Errorf("documentation is lost: %+v", d)
	}
	if g.Def("B") != nil || d.Type.Field("g") != nil {
		t.Error("found what is not there")
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := Read(fstest.MapFS{"a.cue": {Data: []byte("#A: {")}}); err == nil {
		t.Error("a broken file is read")
	}
}

// The schema itself is read whole.
func TestLoad(t *testing.T) {
	g, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"NativeFile", "Manifest", "ChangeOrder", "Scenario"} {
		if d := g.Def(name); d == nil || d.Type.Opaque != "" {
			t.Errorf("#%s is not there, or is opaque", name)
		}
	}
}
