package data
import ("testing")
func TestWData(t *testing.T) {
	for _, p := range []string{"/tmp/wdata/app/*.yaml","/tmp/wdata/gateway/*.yaml"} {
	for name, src := range sample(t, p) {
		if _, ok := fastAlone(string(src)); !ok { t.Error(name) }
	}}
	for _, p := range []string{"/work/shared/corpus/*/*.y*ml", "/work/shared/corpus/*/*.json"} {
	for name, src := range sample(t, p) {
		_, ok := fastAlone(string(src))
		t.Log(name, ok, len(src))
		same(t, string(src), YAML(src))
	}}
}
func BenchmarkW(b *testing.B) {
	for _, p := range []string{"/tmp/wdata/app/*.yaml","/tmp/wdata/gateway/*.yaml"} {
		var all [][]byte; n := 0
		for _, src := range sample(b, p) { all = append(all, src); n += len(src) }
		b.Run(p, func(b *testing.B) { b.SetBytes(int64(n)); b.ReportAllocs(); for b.Loop() { for _, s := range all { YAML(s) } } })
	}
}
