package changeorder

import (
	"os"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestSamples(t *testing.T) {
	for _, name := range []string{"sample.md", "pull-request.md", "broken.md"} {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, schema.Source{}) })
	}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Everything of an order arrives.
func TestOrder(t *testing.T) {
	r := sourcetest.Read(Adapter(), "a.md", []byte(readFile(t, "sample.md")), schema.Source{})
	if len(r.Orders) != 1 {
		t.Fatalf("%d orders", len(r.Orders))
	}
	o := r.Orders[0]
	zero, one := "sha256:"+strings.Repeat("0", 64), "sha256:"+strings.Repeat("1", 64)
	i := o.Items[0]
	switch {
	case !o.Valid, o.ID != "CHG-1042", o.Initiator != "张三（网关值班）", o.Effective.UTC().Hour() != 18:
		t.Errorf("head: %+v", o)
	case i.Pool != "orders", i.Item != "members", i.Before["gateway"] != zero, i.Before["app"] != "absent", i.After != one:
		t.Errorf("item: %+v", i)
	case !i.Aligned["app"].ThisChange, i.Aligned["doc"].ThisChange, i.Aligned["doc"].Commit != "0123abc", i.Aligned["doc"].Digest != one:
		t.Errorf("aligned: %+v", i.Aligned)
	case o.Drill == nil, o.Drill.Seeds != 20, o.Drill.Config != zero, o.Drill.Results[0].Pass != "true":
		t.Errorf("drill: %+v", o.Drill)
	case len(o.Approvals) != 1, o.Approvals[0].Time.IsZero(), len(o.Exceptions) != 1, o.Exceptions[0].File != "a.md":
		t.Errorf("approvals: %+v, exceptions: %+v", o.Approvals, o.Exceptions)
	}
	// An exception that lacks what its rule needs is reported and does not cost the order.
	if len(r.Problems) != 1 || r.Problems[0].Rule != "exception/incomplete" {
		t.Errorf("problems: %v", r.Problems)
	}
}

func TestWhatIsAnOrder(t *testing.T) {
	const body = "id: A\npools: []\ninitiator: a\neffective: 2026-10-20T02:00:00Z\nitems: []\n"
	const head = "poolproof: change-order/v1\n" + body
	for _, tt := range []struct {
		name, text string
		detected   bool
		orders     int
		valid      bool
		rules      string
	}{
		{"front matter", "---\n" + head + "---\n# A\n", true, 1, true, ""},
		{"byte-order mark and CRLF", "\ufeff" + strings.ReplaceAll("---\n"+head+"---\n# A\n", "\n", "\r\n"), true, 1, true, "source/scalar-hazard"},
		{"front matter without an end", "---\n" + head, true, 1, true, ""},
		{"ended by dots", "---\n" + head + "...\ntext\n", true, 1, true, ""},
		{"fenced after front matter of another tool", "---\ntitle: x\n---\n```yaml\n" + head + "```\n", true, 1, true, ""},
		{"nobody said what it is", "---\n" + body + "---\n", false, 1, false, "schema/invalid"},
		{"no front matter", "# A\n\ntext\n", false, 0, false, "source/skipped"},
		{"front matter of another tool", "---\ntitle: x\ndate: 2026-01-01\n---\n# A\n", false, 0, false, "source/skipped"},
		{"a fence of something else", "```go\npoolproof: change-order/v1\n```\n", false, 0, false, "source/skipped"},
		{"an empty file", "", false, 0, false, "source/skipped"},
		{"broken YAML", "---\npoolproof: change-order/v1\nid: [\n---\n", true, 1, false, "source/syntax"},
		{"a thematic break", "---\n\nSome text: with a colon\n", false, 0, false, "source/skipped"},
	} {
		r := sourcetest.Check(t, Adapter(), "a.md", []byte(tt.text))
		if got := Adapter().Detect("a.md", []byte(tt.text)) == sources.Certain; got != tt.detected {
			t.Errorf("%s: detected is %v", tt.name, got)
		}
		if len(r.Orders) != tt.orders || tt.orders > 0 && r.Orders[0].Valid != tt.valid {
			t.Errorf("%s: orders %+v", tt.name, r.Orders)
		}
		rules := ""
		for _, p := range r.Problems {
			rules += p.Rule
		}
		if rules != tt.rules {
			t.Errorf("%s: problems %q, want %q: %v", tt.name, rules, tt.rules, r.Problems)
		}
	}
}

func FuzzOrder(f *testing.F) {
	for _, name := range []string{"sample.md", "pull-request.md", "broken.md"} {
		f.Add([]byte(readFile(f, name)))
	}
	a := Adapter()
	f.Fuzz(func(t *testing.T, text []byte) {
		r := sourcetest.Check(t, a, "a.md", text)
		a.Detect("a.md", text)
		for _, o := range r.Orders {
			if o.At.Start > o.At.End || int(o.At.End) > len(text) {
				t.Fatalf("%v is outside %q", o.At, text)
			}
			if o.Valid && (o.ID == "" || o.Initiator == "" && !strings.Contains(string(text), "initiator") || o.Effective.IsZero() && !strings.Contains(string(text), "0001")) {
				t.Fatalf("valid without %+v", o)
			}
		}
	})
}

func TestDamaged(t *testing.T) {
	sourcetest.Corpus(t, Adapter(), "a.md", []byte(readFile(t, "sample.md")))
}
