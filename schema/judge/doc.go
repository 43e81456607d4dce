// Package judge decides whether a document follows the CUE schema of package schema, fast, and says in words of its own
// what is wrong and where.
//
// A table that is compiled from the schema at go generate time judges the document. What the table rejects, and what it
// cannot express, CUE itself judges again before anybody hears of it: if CUE accepts a value, it is accepted. So the
// table decides nothing but speed, and a fuzz test holds the two equal.
//
// The package knows no syntax. A document is a [Tree], which readers adapt their own trees to.
package judge

//go:generate go run ./gen
