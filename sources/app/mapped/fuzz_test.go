package mapped

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// everything is a map that leads to all kinds of settings of the samples.
func everything() *schema.Map {
	m := *samples["orders.yaml"]
	m.Probe = slices.Clone(m.Probe)
	m.Decision = append(slices.Clone(m.Decision), entries("counts", "orders.*", "slow.threshold", "*.*.* | us", "record", "*")...)
	return &m
}

// FuzzMapped reads any bytes in each format through maps of all shapes: without a crash, and with every place inside
// the text.
func FuzzMapped(f *testing.F) {
	names := []string{"orders.yaml", "pools.yaml", "regions.json", "models.toml", "client.properties"}
	for i, name := range names {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), text)
	}
	f.Add(uint8(5), []byte("orders: {hosts: [{ip: '[::1]:80', port: 80}]}"))
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		if which == 5 {
			sourcetest.Check(t, with(everything()), "any", text)
			Strays(everything(), "any", text)
			return
		}
		name := names[int(which)%len(names)]
		sourcetest.Check(t, with(samples[name]), name, text)
		Strays(samples[name], name, text)
	})
}

func TestDamaged(t *testing.T) {
	for name, m := range samples {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		sourcetest.Corpus(t, with(m), name, text)
	}
}
