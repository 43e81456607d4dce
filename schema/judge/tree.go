package judge

import "github.com/poolproof/poolproof/schema"

// Kind is the type of a node. A plain number is Int if it has neither fraction nor exponent.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Map
	List
)

// Tree is a node of a document. Keys of one mapping differ from each other. Two Trees are equal by == exactly if they are
// the same node.
type Tree interface {
	Kind() Kind
	// Text is a scalar's text, without quotes and escapes.
	Text() string
	// At covers the value.
	At() schema.Span
	// Len is the number of entries of a mapping or list.
	Len() int
	// Key returns the i-th key of a mapping and where it stands.
	Key(i int) (name string, at schema.Span)
	// Child returns the i-th value of a mapping or element of a list.
	Child(i int) Tree
}

// State says how much is known of a node.
type State uint8

// The states. Cut is a value that is not judged: a template, or one that another finding speaks of. Filled is a text that
// was filled in or mended (placeholders, full-width digits), so that how it was quoted says nothing about its kind.
const (
	Written State = iota
	Cut
	Filled
)

// Def is a definition that documents are judged by.
type Def uint8

// The definitions.
const (
	NativeFile Def = iota
	Pool
	Manifest
	ChangeOrder
	Scenario
	defs
)

var defNames = [defs]string{"NativeFile", "Pool", "Manifest", "ChangeOrder", "Scenario"}

// String returns the definition's name in CUE.
func (d Def) String() string { return "#" + defNames[d] }
