package data
import ("testing";"time")
func TestTime(t *testing.T) {
	for _, p := range []string{"/work/shared/corpus/*/*.y*ml", "/work/shared/corpus/*/*.json"} {
	for name, src := range sample(t, p) {
		a := time.Now(); readYAML(src, false); d := time.Since(a)
		if d > 5*time.Millisecond { t.Log(name, len(src), d) }
	}}
}
