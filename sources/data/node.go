// Package data reads structured text (YAML, JSON with comments, TOML, .properties) into one tree in which everything
// knows its bytes. Adapters of structured formats walk that tree and never see the syntax.
//
// YAML has two readers. The fast one takes the forms that most files are made of, in one pass and with a handful of
// allocations; it gives up whatever else it meets. The reference reader then reads that document through yaml.v3, which
// takes everything but says neither where values end nor, reliably, where the text breaks: those parts are added here.
// A test holds the two to the same result. Templates, bytes that are no UTF-8 and aliases of nothing are cut out of the
// text, with filler of the same length, before a parser sees them, so that they cost only themselves.
package data

import "github.com/poolproof/poolproof/schema"

// Kind is the type of a node.
type Kind uint8

// The kinds of nodes. The scalar kinds follow the YAML 1.2 core schema; what other readers would make of a plain scalar
// is the business of Hazard.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Map
	List
)

// Style is how a scalar is written.
type Style uint8

// The styles of scalars.
const (
	Plain Style = iota
	Quoted
	Block // literal or folded block of YAML, multi-line string of TOML
)

// Node is one value. Aliases are resolved: the node of an alias is a copy of what it stands for, with Alias set to the
// place of the alias and At to the place of the anchored value.
type Node struct {
	Kind  Kind
	Style Style
	// Partial marks a mapping or list that template lines ({{- range }}, {% if %}) may add entries to or take entries
	// from: what is read is not all, or not only, what the rendered file will hold.
	Partial bool
	// settled: every reader gives the scalar the same type, because the format or a tag says so.
	settled bool
	// At covers the value: a scalar with its quotes, a collection from its first to its last byte.
	At schema.Span
	// Alias is where the value is used, if it stands elsewhere (alias or merge); unknown otherwise.
	Alias schema.Span
	// Text is a scalar's text, without quotes and escapes; of a template, with its expressions. Numbers of TOML are in
	// decimal and without underscores.
	Text string
	// Pairs are a mapping's entries in file order, merged ones last. Of a key written twice only the last value is kept,
	// where the key first stood.
	Pairs []Pair
	// Items are a list's entries.
	Items []*Node
}

// Pair is one entry of a mapping.
type Pair struct {
	Key   string
	Value *Node
	// KeyAt covers the key with its quotes.
	KeyAt schema.Span
	// Merged: the entry came through a merge key.
	Merged bool
}

// Get returns the value of a key, nil if there is none or n is no mapping. A nil node has no keys.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Pair returns the entry of a key, or nil.
func (n *Node) Pair(key string) *Pair {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := range n.Pairs {
		if n.Pairs[i].Key == key {
			return &n.Pairs[i]
		}
	}
	return nil
}

// Path follows keys from n; nil as soon as one is missing.
func (n *Node) Path(keys ...string) *Node {
	for _, k := range keys {
		n = n.Get(k)
	}
	return n
}

// Scalar reports whether n is a value without children. A nil node is none.
func (n *Node) Scalar() bool { return n != nil && n.Kind < Map }

// Place is where the value is used: of an alias or merged value, the alias.
func (n *Node) Place() schema.Span {
	if n.Alias.Known() {
		return n.Alias
	}
	return n.At
}

// Document is one document of a file.
type Document struct {
	Root *Node // nil for an empty document
	// At runs from the document's ---, or from its first value if it has none, to the end of its root.
	At schema.Span
}

// File is a decoded file: its documents, as far as they could be read, and what is wrong with it:
//
//   - source/syntax: the text is not of the format. The document it stands in is left out; in TOML and .properties,
//     the expression. A character that is no UTF-8, an undefined alias and a lost key cost only themselves.
//   - source/duplicate-key, at the later of the two.
//   - source/merge: two merge sources that disagree.
//   - source/scalar-hazard, a warning: a byte-order mark, a key that starts with a blank of the wrong kind.
//   - source/unresolved: the file is a template. It is reported once, in place of what its expressions break.
//
// Scalars that readers type differently are not reported here: they matter only where a value feeds the model, so
// adapters ask Hazard.
type File struct {
	Documents []Document
	Problems  []schema.Problem
}
