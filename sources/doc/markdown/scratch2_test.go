package markdown
import ("testing";"os";"os/exec";"strings";"math/rand/v2";"github.com/google/go-cmp/cmp";"github.com/poolproof/poolproof/sources/sourcetest";"bytes")
func TestReal(t *testing.T) {
	if os.Getenv("REAL")=="" {return}
	out,_ := exec.Command("sh","-c","find /root/go/pkg/mod /work/shared $(go env GOROOT) -name '*.md' -size -2000k").Output()
	n,tables,bad:=0,0,0
	for _,f := range strings.Fields(string(out)) {
		data,err := os.ReadFile(f); if err!=nil {continue}
		sourcetest.Check(t, Adapter(), f, data)
		if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {continue}
		src := string(data)
		n++
		a,b := theirs(src),ours(src)
		for _,l := range b { if l=="" {tables++} }
		if d:=cmp.Diff(a,b); d!="" { bad++; if bad<15 { if len(d)>1500 {d=d[:1500]}; t.Errorf("%s\n%s", f, d) } }
	}
	t.Logf("%d files %d tables %d differ", n, tables, bad)
}
func TestMany(t *testing.T) {
	if os.Getenv("MANY")=="" {return}
	r := rand.New(rand.NewPCG(7, 9))
	tables:=0
	for range 1000000 {
		src := randomDocument(r)
		o := ours(src)
		for _,l := range o { if l=="" {tables++;break} }
		if d:=cmp.Diff(theirs(src), o); d!="" { t.Fatalf("%q\n%s", src, d) }
	}
	t.Log(tables)
}
