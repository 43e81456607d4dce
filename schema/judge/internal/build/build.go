// Package build compiles the grammar of package schema into the table that package judge interprets.
package build

import (
	"fmt"
	"reflect"

	"github.com/poolproof/poolproof/schema/grammar"
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// maxFields is how many fields a mapping may name: as many as table.Type.Required has bits.
const maxFields = 64

// patterns are the regular expressions of the schema that a loop over bytes recognises as well; a test holds each loop
// equal to its expression. Types with other expressions are left to CUE.
var patterns = map[string]table.Pattern{
	`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+$`: table.Duration,
	`^sha256:[0-9a-f]{64}$`:                       table.Digest,
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`:                table.Date,
	`^[+-][0-9]+$`:                                table.Offset,
}

// Expressions returns the regular expression of each pattern.
func Expressions() map[table.Pattern]string {
	m := map[table.Pattern]string{}
	for expression, p := range patterns {
		m[p] = expression
	}
	return m
}

type builder struct {
	grammar *grammar.Grammar
	table   table.Table
	defs    map[string]uint16
}

// Table compiles a grammar.
func Table(g *grammar.Grammar) (*table.Table, error) {
	b := &builder{grammar: g, defs: map[string]uint16{}}
	// Definitions first, so that types may refer to them in any order.
	for i, d := range g.Defs {
		b.defs[d.Name] = uint16(i)
		b.table.Types = append(b.table.Types, table.Type{})
		b.table.Defs = append(b.table.Defs, table.Def{Name: d.Name, Type: uint16(i)})
	}
	for i, d := range g.Defs {
		t, err := b.build(d.Type)
		if err != nil {
			return nil, fmt.Errorf("compiling #%s: %w", d.Name, err)
		}
		t.Name = d.Name
		b.table.Types[i] = t
	}
	if len(b.table.Types) > 1<<16 {
		return nil, fmt.Errorf("%d types are more than the table can number", len(b.table.Types))
	}
	return &b.table, nil
}

// index returns the number of a type, the same for equal ones.
func (b *builder) index(g *grammar.Type) (uint16, error) {
	if g.Ref != "" {
		if i, ok := b.defs[g.Ref]; ok {
			return i, nil
		}
		return 0, fmt.Errorf("no definition #%s", g.Ref)
	}
	t, err := b.build(g)
	if err != nil {
		return 0, err
	}
	for i := len(b.grammar.Defs); i < len(b.table.Types); i++ {
		if reflect.DeepEqual(b.table.Types[i], t) {
			return uint16(i), nil
		}
	}
	b.table.Types = append(b.table.Types, t)
	return uint16(len(b.table.Types) - 1), nil
}

func (b *builder) build(g *grammar.Type) (table.Type, error) {
	t := table.Type{Kinds: table.Kinds(g.Kinds), Enum: g.Enum, Not: g.Not, MinRunes: g.MinRunes, MaxRunes: g.MaxRunes}
	if g.Opaque != "" {
		return table.Type{Flags: table.Opaque}, nil
	}
	if g.Ref != "" {
		// A definition that is another one's second name.
		i, err := b.index(g)
		return table.Type{Alts: []uint16{i}}, err
	}
	if len(g.Fields) > maxFields {
		return t, fmt.Errorf("%d fields are more than %d", len(g.Fields), maxFields)
	}
	b.limits(&t, g)
	if g.Pattern != "" {
		p, ok := patterns[g.Pattern]
		if !ok {
			return table.Type{Flags: table.Opaque}, nil
		}
		t.Pattern = p
	}
	if g.Time {
		t.Pattern = table.Time
	}
	if g.Open {
		t.Flags |= table.Open
	}
	return t, b.parts(&t, g)
}

func (b *builder) limits(t *table.Type, g *grammar.Type) {
	if g.Min != nil {
		t.Min = g.Min.Value
		t.Flags |= table.HasMin
		if g.Min.Exclusive {
			t.Flags |= table.MinExclusive
		}
	}
	if g.Max != nil {
		t.Max = g.Max.Value
		t.Flags |= table.HasMax
		if g.Max.Exclusive {
			t.Flags |= table.MaxExclusive
		}
	}
}

// parts numbers the types inside a type.
func (b *builder) parts(t *table.Type, g *grammar.Type) error {
	for i, f := range g.Fields {
		n, err := b.index(f.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		t.Fields = append(t.Fields, table.Field{Name: f.Name, Type: n})
		if f.Required {
			t.Required |= 1 << i
		}
	}
	for _, r := range g.Rest {
		key, err := b.index(r.Key)
		if err != nil {
			return err
		}
		value, err := b.index(r.Value)
		if err != nil {
			return err
		}
		t.Rest = append(t.Rest, table.Rest{Key: key, Value: value})
	}
	if g.Kinds&grammar.List != 0 {
		if g.Elem == nil {
			t.Flags |= table.AnyElem
		} else {
			n, err := b.index(g.Elem)
			if err != nil {
				return err
			}
			t.Elem = n
		}
	}
	for _, a := range g.Alts {
		n, err := b.index(a)
		if err != nil {
			return err
		}
		t.Alts = append(t.Alts, n)
	}
	return nil
}
