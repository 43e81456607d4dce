package bind

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	vars := map[string]string{"A": "a", "B": "${A}${A}", "LONG": strings.Repeat("x", 60_000)}
	for text, want := range map[string]string{
		"plain": "plain", "${A}": "a", "x${B}y": "xaay", "${C:-d}": "d", "${C:-${A}}": "a",
		"${LONG}": vars["LONG"], // a whole list may stand in one variable
	} {
		if got, ok := Expand(text, vars, Common|DashDefault); !ok || got != want {
			t.Errorf("%s: %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{"${C}", "${A", "{{ a }}", "${C:-{{ a }}}"} {
		if got, ok := Expand(text, vars, Common|DashDefault); ok || got != text {
			t.Errorf("%s: %q, %v", text, got, ok)
		}
	}
}

// TestExpandBounded: variables that name each other, or a long one many times, stay unresolved. Without the bounds each
// of these would take more memory or time than there is.
func TestExpandBounded(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 1000) }
	vars := map[string]string{
		"SELF": "${SELF}", "LONG": many("x") + many("x"),
		"A": many("${B}"), "B": many("${C}"), "C": many("${D}"), "D": "x",
		"E": many("${F}"), "F": many("${G}"), "G": many("${H}"), "H": "",
	}
	for _, text := range []string{"${SELF}", many("${LONG}"), "${A}", "${E}", many(many("${H}"))} {
		if got, ok := Expand(text, vars, Common); ok || got != text {
			t.Errorf("%.20s...: %d bytes, %v", text, len(got), ok)
		}
	}
}
