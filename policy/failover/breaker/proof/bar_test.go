//go:build !race

package proof

// bar is the largest part of gobreaker's time that ours may take.
const bar = 0.5
