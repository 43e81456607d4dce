package spring

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/sources/sourcetest"
)

// FuzzSpring reads any bytes as YAML and as .properties: without a crash, and with every place inside the text.
func FuzzSpring(f *testing.F) {
	samples, err := filepath.Glob("testdata/*.[yp]*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range samples {
		if text, err := os.ReadFile(name); err == nil && filepath.Ext(name) != ".golden" {
			f.Add(filepath.Ext(name) == ".properties", text)
		}
	}
	f.Add(false, []byte("a: &a [*a]\nresilience4j.circuitbreaker.instances[x].waitDurationInOpenState: ${a:${a}}"))
	f.Fuzz(func(t *testing.T, properties bool, text []byte) {
		name := "any.yml"
		if properties {
			name = "any.properties"
		}
		detect(name, text)
		sourcetest.Check(t, Adapter(), name, text)
	})
}

func TestDamaged(t *testing.T) {
	for _, name := range []string{"application.yml", "orders.properties", "gateway.yml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		sourcetest.Corpus(t, Adapter(), "any"+filepath.Ext(name), text)
	}
}
