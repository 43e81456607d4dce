//go:build race

package proof

// bar is wide under the race detector, which slows both sides unevenly.
const bar = 1
