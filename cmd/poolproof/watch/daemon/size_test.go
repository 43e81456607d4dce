//go:build !race

package daemon

// each is how many of ten thousand drifts each of twenty pools has.
const each = 500
