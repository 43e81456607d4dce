//go:build !race

package acceptance_test

// limit is how much processor time a pool may cost, in milliseconds.
const limit = 150
