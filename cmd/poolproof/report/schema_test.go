package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// runs are the runs that every format must write validly.
func runs() map[string]*Run {
	return map[string]*Run{"findings": fixture(), "clean": clean(), "hostile": hostile(), "many": many(300),
		"empty": {Tool: "poolproof"}, "failed": failed(clean()), "failed with findings": failed(fixture())}
}

// valid fails the test unless a report is what its schema says.
func valid(t *testing.T, schema string, report []byte) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	s, err := compiler.Compile(filepath.Join("testdata", schema))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Error(err)
	}
}

func TestValidJSON(t *testing.T) {
	for format, schema := range map[string]string{"json": "report.schema.json", "sarif": "sarif-schema-2.1.0.json",
		"gitlab": "gitlab-codequality.schema.json"} {
		for name, run := range runs() {
			t.Run(format+"/"+name, func(t *testing.T) { valid(t, schema, render(t, format, run, Options{})) })
		}
	}
}

// TestValidJUnit needs xmllint, of Debian's libxml2-utils.
func TestValidJUnit(t *testing.T) {
	for name, run := range runs() {
		t.Run(name, func(t *testing.T) {
			report := render(t, "junit", run, Options{})
			file := filepath.Join(t.TempDir(), "junit.xml")
			if err := os.WriteFile(file, report, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("xmllint", "--nonet", "--noout", "--schema", "testdata/junit.xsd", file).CombinedOutput()
			if err != nil {
				t.Fatalf("%v (xmllint is in libxml2-utils)\n%s", err, out)
			}
		})
	}
}

// The numbers of a suite are those of its cases, and what does not make the run fail is no failure.
func TestJUnitCounts(t *testing.T) {
	var doc struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(render(t, "junit", failed(fixture()), Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	failures, unjudged := 0, 0
	for _, s := range doc.Suites {
		failed, skipped := 0, 0
		names := map[string]bool{}
		for _, c := range s.Cases {
			if names[c.Name] {
				t.Errorf("two cases are called %q", c.Name)
			}
			names[c.Name] = true
			if c.Failure != nil {
				failed++
			}
			if c.Skipped != nil {
				skipped++
			}
			if c.Error != nil {
				unjudged++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed || s.Skipped != skipped {
			t.Errorf("suite counts %d, %d, %d and holds %d, %d, %d", s.Tests, s.Failures, s.Skipped, len(s.Cases), failed, skipped)
		}
		failures += failed
		unjudged -= s.Errors
	}
	if unjudged != 0 || doc.Suites[0].Errors != 1 {
		t.Errorf("%d errors are not counted, the first suite counts %d", unjudged, doc.Suites[0].Errors)
	}
	if failures != 3 {
		t.Errorf("%d failures, want the 3 new errors", failures)
	}
}

// Every result points at its rule, and only findings with a file have a location.
func TestSARIFReferences(t *testing.T) {
	var doc struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn, EndColumn int }
					}
				}
				Suppressions []struct{ Kind string }
			}
		}
	}
	if err := json.Unmarshal(render(t, "sarif", fixture(), Options{Prefix: "deploy"}), &doc); err != nil {
		t.Fatal(err)
	}
	suppressed, placeless := 0, 0
	for _, r := range doc.Runs[0].Results {
		if got := doc.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("rule index of %s leads to %s", r.RuleID, got)
		}
		suppressed += len(r.Suppressions)
		if len(r.Locations) == 0 {
			placeless++
			continue
		}
		at := r.Locations[0].PhysicalLocation
		if r.RuleID == "probe/differs" && (at.ArtifactLocation.URI != "deploy/docs/%E8%AE%A2%E5%8D%95.md" ||
			at.Region.StartLine != 5 || at.Region.StartColumn != 14 || at.Region.EndColumn != 16) {
			t.Errorf("probe/differs is at %+v %+v", at, at.Region)
		}
	}
	if suppressed != 1 || placeless != 1 {
		t.Errorf("%d suppressions and %d results without a location, want 1 and 1", suppressed, placeless)
	}
}

func TestGitLabFingerprintsAreUnique(t *testing.T) {
	run := many(50)
	for i := range run.Findings {
		run.Findings[i].Fingerprint = []string{"", "same"}[i%2]
	}
	var issues []struct{ Fingerprint string }
	if err := json.Unmarshal(render(t, "gitlab", run, Options{}), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if i.Fingerprint == "" || seen[i.Fingerprint] {
			t.Errorf("fingerprint %q is empty or not unique", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
	}
	if len(issues) != 50 {
		t.Errorf("%d issues, want 50", len(issues))
	}
}
