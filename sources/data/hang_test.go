package data
import ("testing";"time";"os";"fmt")
func FuzzHang(f *testing.F) {
	for _, src := range fastYAML { f.Add([]byte(src)) }
	for _, src := range notFastYAML { f.Add([]byte(src)) }
	f.Fuzz(func(t *testing.T, src []byte) {
		done := make(chan bool)
		go func() { YAML(src); close(done) }()
		select { case <-done: case <-time.After(3*time.Second):
			os.WriteFile(fmt.Sprintf("/tmp/hang-%d", os.Getpid()), src, 0o644)
			panic("hang") }
	})
}
