package spring

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, name := range []string{"orders.properties", "gateway.yml"} {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
	t.Run("profiles", func(t *testing.T) {
		sourcetest.Golden(t, Adapter(), "application.yml", schema.Source{Profiles: []string{"prod"}})
	})
}
