package acceptance_test

import (
	"testing"

	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
)

// BenchmarkGoodPool plays a pool that states all four constraints through the eight cases.
func BenchmarkGoodPool(b *testing.B) {
	c := readText(b, good)
	for range b.N {
		for _, id := range acceptance.IDs() {
			acceptance.Play(id, c, load(), 5)
		}
	}
}
