package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// page is a document of twenty pools with three tables each.
func page() []byte {
	var b strings.Builder
	b.WriteString("# Failover pools\n\n")
	for p := range 20 {
		fmt.Fprintf(&b, "## Pool `orders-%05d`\n\nServed from *eu-west-1*. Members are tried in priority order.\n\nEffective: 2026-06-01T02:00:00Z\n\n| Host | Port | Weight | Priority |\n| :--- | ---: | ---: | ---: |\n", p)
		for m := range 9 {
			fmt.Fprintf(&b, "| `m%02d.orders-%05d.eu-west-1.example.net` | %d | %d | %d |\n", m, p, 20000+m*977, 5+m, m/3)
		}
		b.WriteString("\n| Parameter | Value |\n| :--- | ---: |\n| Probe path | `/ready` |\n| Probe interval | 23000 ms |\n| Probe timeout | 13000 ms |\n| Unhealthy threshold | 5 |\n| Healthy threshold | 4 |\n| Cooldown | 184 s |\n| Maximum cooldown | 736 s |\n")
		b.WriteString("\n| Batch | Share | Dwell | Minimum samples |\n| ---: | ---: | ---: | ---: |\n| 1 | 30 % | 9 min | 800 |\n| 2 | 54 % | 10 min | 300 |\n| 3 | 100 % | 5 min | 400 |\n\n")
	}
	return []byte(b.String())
}

func BenchmarkRead(b *testing.B) {
	data := page()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r := sourcetest.Read(Adapter(), "page.md", data, schema.Source{}); len(r.Copies) != 20 {
			b.Fatal(len(r.Copies))
		}
	}
}

// BenchmarkGoldmark is what a general parser costs on the same page before anything is understood.
func BenchmarkGoldmark(b *testing.B) {
	data := page()
	p := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		p.Parse(text.NewReader(data))
	}
}
