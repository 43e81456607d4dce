package acceptance_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/schema"
)

// playAll plays the eight cases.
func playAll(t testing.TB, c *schema.Copy, rps float64, seeds int) (outs []acceptance.Outcome) {
	t.Helper()
	l := load()
	l.RPS = rps
	set := acceptance.New(c, l, seeds)
	for _, id := range acceptance.IDs() {
		outs = append(outs, set.Play(t.Context(), id))
	}
	return outs
}

// used is how long the process has kept cores busy.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGoodPool plays a pool that states all four constraints through the eight cases.
func BenchmarkGoodPool(b *testing.B) {
	for _, k := range []struct {
		name  string
		rps   float64
		seeds int
	}{{"120 rps, 5 seeds", 120, 5}, {"120 rps, quick", 120, acceptance.QuickSeeds}, {"5000 rps, quick", 5000, acceptance.QuickSeeds}} {
		b.Run(k.name, func(b *testing.B) {
			c := readText(b, good)
			before := used()
			for range b.N {
				playAll(b, c, k.rps, k.seeds)
			}
			b.ReportMetric(float64((used()-before).Milliseconds())/float64(b.N), "cpu-ms/pool")
		})
	}
}
