package nginx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// samples lists the files under testdata that have a golden dump.
var samples = []string{"http.conf", "stream.conf", "plus.conf", "tengine.conf", "refused.conf", "broken.conf", "lua.conf", "messy.conf", "site.conf.j2", "nginx.conf.ctmpl", "windows.conf", "bom.conf"}

func TestSamples(t *testing.T) {
	for _, name := range samples {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
}

// TestDamagedSamples reads every sample cut short and with a byte changed, at many places.
func TestDamagedSamples(t *testing.T) {
	for _, name := range samples {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		sourcetest.Corpus(t, Adapter(), name, text)
	}
}
