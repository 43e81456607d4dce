package haproxy

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, name := range []string{"rich.cfg", "template.cfg.j2", "chinese.cfg"} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Golden(t, Adapter(), name, schema.Source{Profile: "haproxy-2.6"})
		})
	}
}
