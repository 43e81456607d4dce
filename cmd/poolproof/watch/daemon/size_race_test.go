//go:build race

package daemon

// each is how many of two thousand drifts each of twenty pools has: the race detector makes ten thousand slow.
const each = 100
