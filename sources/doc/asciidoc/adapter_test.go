package asciidoc

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestGolden(t *testing.T) {
	sourcetest.Golden(t, Adapter(), "sample.adoc", schema.Source{})
}
