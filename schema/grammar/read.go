package grammar

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"

	"github.com/poolproof/poolproof/schema"
)

// Load reads the definitions that are built into the program.
func Load() (*Grammar, error) { return Read(schema.CUE()) }

// Read reads the definitions of the *.cue files at the root of files.
func Read(files fs.FS) (*Grammar, error) {
	names, err := fs.Glob(files, "*.cue")
	if err != nil {
		return nil, fmt.Errorf("listing the schema: %w", err)
	}
	sort.Strings(names)
	g := &Grammar{}
	r := reader{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading the schema: %w", err)
		}
		f, err := parser.ParseFile(name, text, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parsing the schema: %w", err)
		}
		for _, d := range f.Decls {
			field, ok := d.(*ast.Field)
			if !ok {
				continue
			}
			name, _, err := ast.LabelName(field.Label)
			if err != nil || !strings.HasPrefix(name, "#") {
				continue
			}
			g.Defs = append(g.Defs, Def{Name: name[1:], Doc: doc(field), Type: r.expr(field.Value)})
		}
	}
	for i := range g.Defs {
		g.embed(g.Defs[i].Type)
	}
	return g, nil
}

// doc returns the comment above a declaration as one paragraph.
func doc(n ast.Node) string {
	var words []string
	for _, group := range ast.Comments(n) {
		if group.Doc {
			words = append(words, strings.Fields(group.Text())...)
		}
	}
	return strings.Join(words, " ")
}

// embed copies the fields of embedded definitions to where they are embedded.
func (g *Grammar) embed(t *Type) {
	if t == nil {
		return
	}
	var fields []Field
	for _, f := range t.Fields {
		if f.Name != "" {
			g.embed(f.Type)
			fields = append(fields, f)
			continue
		}
		inner := g.Resolve(f.Type)
		g.embed(inner)
		fields = append(fields, inner.Fields...)
		t.Rest = append(t.Rest, inner.Rest...)
		t.Open = t.Open || inner.Open
	}
	t.Fields = fields
	for _, r := range t.Rest {
		g.embed(r.Value)
	}
	g.embed(t.Elem)
	for _, a := range t.Alts {
		g.embed(a)
	}
}
