package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// many is a run of n findings in three files.
func many(n int) *Run {
	var app, gateway strings.Builder
	run := &Run{Tool: "poolproof", Version: "1", Command: "check", Findings: make([]schema.Finding, n)}
	for i := range n {
		pool := fmt.Sprintf("pool-%05d", i)
		app.WriteString("    - {address: ")
		a := schema.Place{Side: schema.App, File: "app.yaml", Span: schema.At(app.Len(), app.Len()+8)}
		app.WriteString(fmt.Sprintf("10.%d.%d.1, port: 8080, note: 订单}\n", i/256, i%256))
		gateway.WriteString("\tserver s ")
		g := schema.Place{Side: schema.Gateway, File: "haproxy.cfg", Span: schema.At(gateway.Len(), gateway.Len()+8)}
		gateway.WriteString(fmt.Sprintf("10.%d.%d.2:8080 check token %d\n", i/256, i%256, i))
		run.Findings[i] = schema.Finding{Rule: "members/differs", Severity: schema.Error, Pool: pool, Item: schema.Members,
			Field: "weight", Got: "1", Want: "2", Truth: "members: gateway", At: a,
			Message: schema.Text{En: "the weight is 1 in the app copy and 2 in the gateway"},
			Hint:    schema.Text{En: "write 2"}, Related: []schema.Related{{Place: g, Value: "2", Truth: true}}}
	}
	run.Source = texts{"app.yaml": app.String(), "haproxy.cfg": gateway.String()}.source
	finish(run)
	return run
}

// Ten thousand findings take well under a second in every format; the bound is wide so that a busy machine passes.
func TestTenThousandFindings(t *testing.T) {
	run := many(10_000)
	for _, format := range Formats() {
		start := time.Now()
		if err := Render(io.Discard, format, run, Options{}); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s took %s", format, d)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	run := many(10_000)
	for _, format := range Formats() {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Render(io.Discard, format, run, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bigFile is a text of 30 MB, on one line or on many, with n places spread over it.
func bigFile(n int, lineLength int) (string, []schema.Finding) {
	var b strings.Builder
	for b.Len() < 30<<20 {
		b.WriteString(strings.Repeat("a", lineLength))
		b.WriteString("\n")
	}
	text := b.String()
	findings := make([]schema.Finding, n)
	for i := range findings {
		at := (n - i) * (len(text) / (n + 1)) // backwards: the order of the findings is not that of the file
		findings[i].At = schema.Place{File: "big", Span: schema.At(at, at+3)}
	}
	return text, findings
}

func BenchmarkLocate(b *testing.B) {
	for name, length := range map[string]int{"lines": 60, "one line": 30 << 20} {
		text, findings := bigFile(10_000, length)
		data := []byte(text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i := range findings {
					findings[i].At.Line = 0
				}
				Locate(findings, func(schema.Place) ([]byte, bool) { return data, true })
			}
		})
	}
}
