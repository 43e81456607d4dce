package markdown
import ("testing";"os";"syscall";"time";"github.com/yuin/goldmark";"github.com/yuin/goldmark/extension";"github.com/yuin/goldmark/text";"github.com/poolproof/poolproof/sources/sourcetest";"github.com/poolproof/poolproof/schema")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestCPU(t *testing.T) {
	if os.Getenv("CPU")=="" {return}
	data := page()
	p := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	for range 3 {
	a:=cpu(); n:=3000
	for range n { sourcetest.Read(Adapter(), "page.md", data, schema.Source{}) }
	b:=cpu()
	for range n { p.Parse(text.NewReader(data)) }
	c:=cpu()
	mb := float64(len(data)*n)/1e6
	t.Logf("read %.1f MB/s  goldmark %.1f MB/s", mb/(b-a).Seconds(), mb/(c-b).Seconds())
	}
}
