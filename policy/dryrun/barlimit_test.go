//go:build !race

package dryrun

// leastRatio is how many times as fast as gobreaker on a fake clock a run has to be.
const leastRatio = 4
