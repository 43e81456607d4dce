// Package schema holds the words that every room of poolproof shares: sides, items, places, values, members, copies,
// problems and findings, and the normal forms that make two spellings of one setting equal.
//
// It reads nothing and judges nothing. Readers (package sources) fill a [Copy], package reconcile compares copies, and
// package policy turns what they found into findings.
package schema
