package native

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestSamples(t *testing.T) {
	for _, name := range []string{"sample.yaml", "broken.yaml", "templates.yaml", "sample.json"} {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
}

var _ = sources.Certain
