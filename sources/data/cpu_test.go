package data
import ("testing";"syscall";"time";"runtime")
func TestCPU(t *testing.T) {
	cpu := func() time.Duration { var r syscall.Rusage; syscall.Getrusage(0, &r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
	for name, src := range map[string][]byte{"pool": blockPool(10), "gateway": cluster(200)} {
		best := 0.0
		for range 20 {
			runtime.GC()
			n := 3_000_000/len(src)+1
			a := cpu()
			for range n { YAML(src) }
			d := cpu()-a
			best = max(best, float64(n*len(src))/d.Seconds()/1e6)
		}
		t.Log(name, best, "MB per CPU second")
	}
}
