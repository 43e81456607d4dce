//go:build race

package dryrun

// leastRatio is that of a program which the race detector slows down, ours more than theirs.
const leastRatio = 1
