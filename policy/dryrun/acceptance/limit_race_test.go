//go:build race

package acceptance_test

// limit is that of a program ten times slower.
const limit = 1500
