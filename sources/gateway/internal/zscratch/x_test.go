package zscratch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/gateway/apisix"
	"github.com/poolproof/poolproof/sources/gateway/argorollouts"
	"github.com/poolproof/poolproof/sources/gateway/envoy"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestAll(t *testing.T) {
	as := []sources.Adapter{envoy.Adapter(), apisix.Adapter(), argorollouts.Adapter()}
	for _, root := range []string{"/work/shared/corpus", "/work/shared/cases", "/tmp/W", "/work/main"} {
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			text, err := os.ReadFile(p)
			if err != nil || len(text) > 4<<20 {
				return nil
			}
			for _, a := range as {
				t0 := time.Now()
				c := a.Detect(p, text)
				r := sourcetest.Check(t, a, p, text)
				if dt := time.Since(t0); dt > 500*time.Millisecond {
					fmt.Println("SLOW", dt, p)
				}
				sourcetest.Dump(r, text)
				if c > sources.Unlikely {
					if root != "/tmp/W" || filepath.Base(p) == "clusters-0000.yaml" {
						fmt.Println(c, a.Name, p, len(r.Copies), "copies", len(r.Problems), "problems")
					}
				} else if len(r.Copies) > 0 {
					fmt.Println("   reads without detecting:", a.Name, p, len(r.Copies))
				}
			}
			return nil
		})
	}
}
