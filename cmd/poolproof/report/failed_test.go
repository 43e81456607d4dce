package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// failed is a run that could not judge all that it was asked for.
func failed(run *Run) *Run {
	run.Summary.Failed = &schema.Text{En: "there is no pool ordres", Zh: "没有池 ordres"}
	return run
}

// TestFailedIsNoGoodNews: a run that fails for what it could not judge says so before any number, and nowhere that all is
// well.
func TestFailedIsNoGoodNews(t *testing.T) {
	const why = "could not check: there is no pool ordres"
	for _, format := range Formats() {
		if format == "gitlab" {
			continue // it has no place for anything but findings
		}
		text := string(render(t, format, failed(clean()), Options{}))
		if !strings.Contains(text, why) || strings.Contains(text, "no findings") {
			t.Errorf("%s: %s", format, text)
		}
	}
	for format, first := range map[string]string{
		"console": why + "\n", "markdown": "## poolproof check: " + why + "\n", "github": "::error title=poolproof::" + why + "\n",
	} {
		if text := string(render(t, format, failed(clean()), Options{})); !strings.HasPrefix(text, first) {
			t.Errorf("%s starts otherwise: %s", format, text)
		}
	}
	if text := string(render(t, "sarif", failed(clean()), Options{})); !strings.Contains(text, `"executionSuccessful":false`) {
		t.Errorf("sarif: the run succeeded: %s", text)
	}
	zh := failed(clean())
	zh.Lang = "zh"
	if text := string(render(t, "console", zh, Options{})); !strings.HasPrefix(text, "未能检查：没有池 ordres\n") {
		t.Errorf("in Chinese: %s", text)
	}
	// What was found besides is counted behind it.
	if text := string(render(t, "console", failed(fixture()), Options{})); !strings.Contains(text, "\n"+why+"; 3 errors, ") {
		t.Errorf("with findings: %s", text)
	}
}

// TestChineseValues: what machines read in English is worded for Chinese readers, or left to the sentence that says it.
func TestChineseValues(t *testing.T) {
	for _, c := range []struct {
		rule, value, want string
		item              schema.Item
	}{
		{"", "5% 10m 500 samples", "5% 10m 500 个样本", schema.Ramp},
		{"", "50ms to 10m", "50ms 至 10m", schema.Probe},
		{"", "interval 5s instead of 2s, timeout 1s instead of 2s", "interval 5s 而非 2s, timeout 1s 而非 2s", schema.Probe},
		{"", "a whole number of at least 1", "", schema.Probe},
		{"dryrun/failed", "none of the requests fell into that time", "", schema.Cooldown},
		{"", "a.example", "a.example", schema.Members},
		{"", "/path to x", "/path to x", schema.Probe},
	} {
		f := &schema.Finding{Rule: c.rule, Item: c.item}
		if got := language("zh").value(f, c.value); got != c.want {
			t.Errorf("%q: %q, want %q", c.value, got, c.want)
		}
		if got := language("en").value(f, c.value); got != c.value {
			t.Errorf("in English %q became %q", c.value, got)
		}
	}
}
