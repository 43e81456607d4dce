package haproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestScratchCorpus(t *testing.T) {
	filepath.Walk("/work/shared/corpus", func(p string, i os.FileInfo, err error) error {
		if err != nil || i.IsDir() {
			return nil
		}
		data, _ := os.ReadFile(p)
		c := Adapter().Detect(p, data)
		r := sourcetest.Check(t, Adapter(), p, data)
		if c > 0 || len(r.Copies) > 0 {
			fmt.Println(p, "detect", c, "copies", len(r.Copies))
		}
		return nil
	})
	files, _ := filepath.Glob("/work/shared/corpus/haproxy/*")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		fmt.Println("=====", f)
		fmt.Println(sourcetest.Dump(sourcetest.Read(Adapter(), f, data, schema.Source{}), data))
	}
}
