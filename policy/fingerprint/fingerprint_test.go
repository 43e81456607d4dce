package fingerprint_test

import (
	"regexp"
	"testing"

	"github.com/poolproof/poolproof/policy/fingerprint"
	"github.com/poolproof/poolproof/schema"
)

func fingerprints(findings ...schema.Finding) []string {
	fingerprint.Set(findings)
	list := make([]string, len(findings))
	for i, f := range findings {
		list[i] = f.Fingerprint
	}
	return list
}

func base() schema.Finding {
	return schema.Finding{Rule: "probe/differs", Severity: schema.Error, Env: "prod", Pool: "orders", Item: schema.Probe,
		Field: "interval", Member: "a:1", Got: "5s", Want: "2s", Truth: "probe: gateway",
		At: schema.Place{Side: schema.App, File: "app/a.yaml", Span: schema.At(10, 12), Line: 3, Column: 4}}
}

func TestFingerprintIgnoresWhatMoves(t *testing.T) {
	want := fingerprints(base())[0]
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(want) {
		t.Errorf("got %q", want)
	}
	for name, change := range map[string]func(*schema.Finding){
		"line":     func(f *schema.Finding) { f.At.Line, f.At.Span = 40, schema.At(900, 902) },
		"file":     func(f *schema.Finding) { f.At.File = "moved/b.yaml" },
		"message":  func(f *schema.Finding) { f.Message.En = "reworded" },
		"severity": func(f *schema.Finding) { f.Severity = schema.Warning },
		"status":   func(f *schema.Finding) { f.Status = schema.Existing },
		"revision": func(f *schema.Finding) { f.At.Revision = "abc" },
	} {
		f := base()
		change(&f)
		if got := fingerprints(f)[0]; got != want {
			t.Errorf("%s changes the fingerprint", name)
		}
	}
}

func TestFingerprintTellsApart(t *testing.T) {
	changes := []func(*schema.Finding){
		func(f *schema.Finding) {},
		func(f *schema.Finding) { f.Rule = "probe/other" },
		func(f *schema.Finding) { f.Env = "test" },
		func(f *schema.Finding) { f.Pool = "billing" },
		func(f *schema.Finding) { f.At.Side = schema.Doc },
		func(f *schema.Finding) { f.Item = schema.Cooldown },
		func(f *schema.Finding) { f.Field = "timeout" },
		func(f *schema.Finding) { f.Member = "a:2" },
		func(f *schema.Finding) { f.Got = "6s" },
		func(f *schema.Finding) { f.Field, f.Member = "intervala", ":1" }, // the same letters, parted elsewhere
	}
	seen := map[string]int{}
	for i, change := range changes {
		f := base()
		change(&f)
		got := fingerprints(f)[0]
		if j, ok := seen[got]; ok {
			t.Errorf("changes %d and %d have one fingerprint", i, j)
		}
		seen[got] = i
	}
}

func TestFingerprintOrdinals(t *testing.T) {
	list := fingerprints(base(), base(), base())
	if list[0] == list[1] || list[1] == list[2] || list[0] == list[2] {
		t.Errorf("equal findings share a fingerprint: %v", list)
	}
	if again := fingerprints(base(), base()); again[0] != list[0] || again[1] != list[1] {
		t.Error("ordinals are not stable")
	}
}

// A finding without a pool is about its file: mending one must not hide another.
func TestFingerprintOfFiles(t *testing.T) {
	a, b := schema.Finding{Rule: "source/syntax", At: schema.Place{File: "a"}}, schema.Finding{Rule: "source/syntax", At: schema.Place{File: "b"}}
	if fingerprints(a, b)[1] != fingerprints(b)[0] {
		t.Error("the fingerprint of one file depends on another")
	}
}
