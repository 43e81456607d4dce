// Package table is the compiled form of the CUE schema: flat data that the linker lays out, so that a program which
// judges files starts without reading the schema at all.
package table

// Kinds is a set of kinds of values; the bits are those of grammar.Kinds.
type Kinds uint8

// The kinds.
const (
	Null Kinds = 1 << iota
	Bool
	Int
	Float
	String
	Map
	List

	Number = Int | Float
)

// Flags say which of a type's optional parts count.
type Flags uint8

// The flags.
const (
	HasMin Flags = 1 << iota
	HasMax
	MinExclusive
	MaxExclusive
	// Open: keys that the type does not know are accepted.
	Open
	// Opaque: only CUE can judge values of this type.
	Opaque
	// AnyElem: a list may hold anything.
	AnyElem
)

// Pattern is a form of texts that a loop over bytes recognises.
type Pattern uint8

// The patterns.
const (
	NoPattern Pattern = iota
	Duration
	Digest
	Date
	Offset
	Time
)

// Type is one type. Indexes point into Table.Types.
type Type struct {
	// Name is the definition that the type stands for, without '#'; empty for types without a name.
	Name    string
	Kinds   Kinds
	Flags   Flags
	Pattern Pattern

	Min, Max           float64
	Enum, Not          []string
	MinRunes, MaxRunes int

	Fields []Field
	// Required has a bit for each field, in the order of Fields, that must be there.
	Required uint64
	Rest     []Rest
	Elem     uint16
	Alts     []uint16
}

// Has reports whether all of the flags are set.
func (t *Type) Has(f Flags) bool { return t.Flags&f == f }

// Field is one named entry of a mapping.
type Field struct {
	Name string
	Type uint16
}

// Rest is what other keys may hold.
type Rest struct{ Key, Value uint16 }

// Def is one definition.
type Def struct {
	Name string // without '#'
	Type uint16
}

// Table is a whole schema. Nothing writes to it.
type Table struct {
	Types []Type
	Defs  []Def
}
