package nginx

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestScratchDump(t *testing.T) {
	for _, p := range strings.Fields(os.Getenv("DUMP")) {
		b, err := os.ReadFile(p)
		if err != nil { t.Fatal(err) }
		fmt.Printf("=== %s detect=%d\n%s", p, detect(p, b), sourcetest.Dump(sourcetest.Check(t, Adapter(), p, b), b))
		_ = schema.Source{}
	}
}
