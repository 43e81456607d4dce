package markdown

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, name := range []string{"sample.md", "sample_zh.md", "odd.md"} {
		sourcetest.Golden(t, Adapter(), name, schema.Source{})
	}
}
