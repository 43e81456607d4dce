package asciidoc
import ("testing";"os";"fmt";"github.com/poolproof/poolproof/schema";"github.com/poolproof/poolproof/sources/sourcetest")
func TestScratch(t *testing.T) {
	f := os.Getenv("F")
	if f=="" {return}
	data,_ := os.ReadFile(f)
	fmt.Print(sourcetest.Dump(sourcetest.Read(Adapter(), f, data, schema.Source{}), data))
}
