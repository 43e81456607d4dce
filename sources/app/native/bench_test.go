package native

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// typical is a pool of the size that people write: ten members, a cooldown.
func typical() []byte {
	var b strings.Builder
	b.WriteString("# failover pool\npools:\n  payments-00001:\n    domain:\n      region: eu-west-1\n    members:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "      - address: m%02d.payments-00001.eu-west-1.example.net\n        port: %d\n        weight: %d\n        priority: %d\n", i, 20000+i, 10+i, i/4)
	}
	b.WriteString("    cooldown:\n      duration: 2m30s\n      max: 10m0s\n")
	return []byte(b.String())
}

// BenchmarkJudgeAndBind is the reading of a pool without the decoding of its file.
func BenchmarkJudgeAndBind(b *testing.B) {
	text := typical()
	tree := data.YAML(text)
	r := strict.New()
	in := sources.Input{Path: "a.yaml", Data: text, Source: &schema.Source{Side: schema.App}}
	b.ReportAllocs()
	for b.Loop() {
		if got := readTree(r, in, tree); len(got.Copies[0].Members) != 10 {
			b.Fatal("not read")
		}
	}
}

func BenchmarkRead(b *testing.B) {
	a := Adapter()
	in := sources.Input{Path: "a.yaml", Data: typical(), Source: &schema.Source{Side: schema.App}}
	b.SetBytes(int64(len(in.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if got := a.Read(in); len(got.Copies[0].Members) != 10 {
			b.Fatal("not read")
		}
	}
}
