package build

import (
	"bytes"
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// Source returns the Go file that holds a table as the variable compiled of package judge.
func Source(t *table.Table) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated from the CUE schema by go generate; DO NOT EDIT.\n\npackage judge\n\n")
	b.WriteString("import \"github.com/poolproof/poolproof/schema/judge/internal/table\"\n\n")
	b.WriteString("var compiled = table.Table{\nTypes: []table.Type{\n")
	for i := range t.Types {
		fmt.Fprintf(&b, "%d: {%s},\n", i, literal(&t.Types[i]))
	}
	b.WriteString("},\nDefs: []table.Def{\n")
	for _, d := range t.Defs {
		fmt.Fprintf(&b, "{Name: %q, Type: %d},\n", d.Name, d.Type)
	}
	b.WriteString("},\n}\n")
	return format.Source(b.Bytes())
}

func literal(t *table.Type) string {
	var parts []string
	add := func(name, value string) { parts = append(parts, name+": "+value) }
	if t.Name != "" {
		add("Name", strconv.Quote(t.Name))
	}
	number := func(name string, n int) {
		if n != 0 {
			add(name, strconv.Itoa(n))
		}
	}
	number("Kinds", int(t.Kinds))
	number("Flags", int(t.Flags))
	number("Pattern", int(t.Pattern))
	if t.Has(table.HasMin) {
		add("Min", strconv.FormatFloat(t.Min, 'g', -1, 64))
	}
	if t.Has(table.HasMax) {
		add("Max", strconv.FormatFloat(t.Max, 'g', -1, 64))
	}
	texts := func(name string, list []string) {
		if list != nil {
			add(name, fmt.Sprintf("%#v", list))
		}
	}
	texts("Enum", t.Enum)
	texts("Not", t.Not)
	number("MinRunes", t.MinRunes)
	number("MaxRunes", t.MaxRunes)
	if t.Fields != nil {
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, fmt.Sprintf("{Name: %q, Type: %d}", f.Name, f.Type))
		}
		add("Fields", "[]table.Field{"+strings.Join(fields, ", ")+"}")
	}
	if t.Required != 0 {
		add("Required", fmt.Sprintf("%#x", t.Required))
	}
	if t.Rest != nil {
		var rest []string
		for _, r := range t.Rest {
			rest = append(rest, fmt.Sprintf("{Key: %d, Value: %d}", r.Key, r.Value))
		}
		add("Rest", "[]table.Rest{"+strings.Join(rest, ", ")+"}")
	}
	number("Elem", int(t.Elem))
	if t.Alts != nil {
		add("Alts", fmt.Sprintf("%#v", t.Alts))
	}
	return strings.Join(parts, ", ")
}
