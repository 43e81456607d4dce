package report

import (
	"strings"
	"testing"
)

// TestMarkdownOutside: values stand in tables and text as themselves.
func TestMarkdownOutside(t *testing.T) {
	for value, want := range map[string]string{"10.0.0.1:80": "`10.0.0.1:80`", "a b": "`a b`", "a|b": "a&#124;b", "a\\|b": "a&#92;&#124;b", "a`b": "a&#96;b", "a\nb": "`a\\nb`", "": "", "<b>": "`<b>`"} {
		if got := MarkdownCode(value); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
	for text, want := range map[string]string{"be_orders": "be_orders", "_a_b_": "&#95;a_b&#95;", "a__b": "a&#95;&#95;b"} {
		if got := MarkdownText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := MarkdownText("<b>*x*|\x1b @all"); strings.ContainsAny(got, "<*|\x1b@") {
		t.Errorf("%s", got)
	}
}
