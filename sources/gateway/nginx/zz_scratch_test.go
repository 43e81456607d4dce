package nginx
import ("testing";"os";"path/filepath";"io/fs";"fmt"
"github.com/poolproof/poolproof/sources/sourcetest")
func TestScratch(t *testing.T){
 for _, root := range []string{"/work/shared/corpus","/work/shared/cases","/work/shared/bench","/work/shared/semantics","/work/main","/etc","/root/go/pkg/mod","/usr/share","/usr/lib/python3"} {
 filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
  if err!=nil || d.IsDir() || !d.Type().IsRegular() {return nil}
  if i,_ := d.Info(); i.Size()>2<<20 {return nil}
  b,err := os.ReadFile(p); if err!=nil {return nil}
  c := detect(p,b)
  if c>=1 { fmt.Println(c,p) }
  if root=="/work/shared/corpus" || c>=2 { 
     r := sourcetest.Check(t, Adapter(), p, b); sourcetest.Corpus(t, Adapter(), p, b[:min(len(b),20000)])
     if c>=2 && root!="/work/main" { for i := range r.Copies { for _, q := range r.Copies[i].Problems { fmt.Println("   ", q.Rule, q.Text.En) } }; for _, q := range r.Problems { fmt.Println("   ", q.Rule, q.Text.En, q.At) } }
  }
  return nil })
 }
}
