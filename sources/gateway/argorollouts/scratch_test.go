package argorollouts

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestScratchCorpus(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/corpus/argo-rollouts/*")
	files = append(files, "/work/shared/corpus/istio/argoproj__argo-rollouts__istio-subset-split.yaml")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		fmt.Println("=====", f, detect(f, text))
		fmt.Println(sourcetest.Dump(sourcetest.Read(Adapter(), f, text, schema.Source{}), text))
	}
}
