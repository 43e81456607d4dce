// Package grammar reads the CUE definitions of package schema as plain data: which kinds of value, which bounds, which
// fields. What is derived from the definitions (the compiled validator, the JSON Schema, the table of paths) starts
// here, so that nothing is written down twice.
package grammar

import "slices"

// Kinds is a set of kinds of values.
type Kinds uint8

// The kinds. A whole number is of kind Int, one with a fraction or exponent of kind Float.
const (
	Null Kinds = 1 << iota
	Bool
	Int
	Float
	String
	Map
	List

	Number = Int | Float
	Any    = Null | Bool | Number | String | Map | List
)

// Bound is one end of a range of numbers.
type Bound struct {
	Value     float64
	Exclusive bool
}

// Type says which values are accepted. Of its parts only those count that speak about the value's kind.
type Type struct {
	// Ref names the definition that stands here; all else is empty then.
	Ref string
	// Kinds are the kinds that are accepted by this type without Alts.
	Kinds Kinds

	Min, Max *Bound
	// Enum lists the accepted texts; nil accepts all that Pattern, Time and the limits accept.
	Enum []string
	// Pattern is a regular expression (RE2) that texts must match, empty for none.
	Pattern string
	// Time: texts are moments of RFC 3339, as the CUE function time.Time accepts them.
	Time bool
	// Not lists texts that are refused.
	Not []string
	// MinRunes and MaxRunes limit the length of texts in characters; 0 is no limit.
	MinRunes, MaxRunes int

	// Fields of a mapping, in file order.
	Fields []Field
	// Rest are the pattern constraints of a mapping: what keys besides Fields may hold.
	Rest []Rest
	// Open: keys that neither Fields nor Rest know are accepted.
	Open bool
	// Elem is the type of a list's elements, nil for any.
	Elem *Type

	// Alts: the value is accepted if one of these accepts it.
	Alts []*Type
	// Default is the alternative that the definition marks as default, as written; it only documents.
	Default string
	// Opaque is the source of an expression that this package cannot express; CUE alone can judge it.
	Opaque string
}

// Field is one named entry of a mapping.
type Field struct {
	Name     string
	Required bool
	Doc      string
	Type     *Type
}

// Rest is a pattern constraint: keys that match Key hold Value.
type Rest struct {
	Key, Value *Type
	Doc        string
}

// Def is one definition.
type Def struct {
	Name string // without '#'
	Doc  string
	Type *Type
}

// Grammar is all definitions, in file order.
type Grammar struct {
	Defs []Def
}

// Def returns the definition of that name (without '#'), nil if there is none.
func (g *Grammar) Def(name string) *Def {
	i := slices.IndexFunc(g.Defs, func(d Def) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &g.Defs[i]
}

// Resolve follows a reference to the type that it stands for.
func (g *Grammar) Resolve(t *Type) *Type {
	for t.Ref != "" {
		d := g.Def(t.Ref)
		if d == nil {
			return &Type{Opaque: "#" + t.Ref}
		}
		t = d.Type
	}
	return t
}

// Field returns the field of that name, nil if there is none.
func (t *Type) Field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}
