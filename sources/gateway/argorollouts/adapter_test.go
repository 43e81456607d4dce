package argorollouts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, name := range []string{"rollouts.yaml", "odd.yaml", "chart.yaml"} {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
}

// seeds returns the samples.
func seeds(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		if filepath.Ext(f) == ".golden" || filepath.Base(f) == "fuzz" {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = text
	}
	return all
}

// TestDamaged reads the samples cut short and with single bytes changed.
func TestDamaged(t *testing.T) {
	for name, text := range seeds(t) {
		sourcetest.Corpus(t, Adapter(), name, text)
	}
}

func FuzzRead(f *testing.F) {
	for name, text := range seeds(f) {
		f.Add(name, text)
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		detect(name, text)
		sourcetest.Check(t, Adapter(), name, text)
	})
}
