package data

import "testing"

func TestBraceEnd(t *testing.T) {
	for text, want := range map[string]string{
		" .Values.port }}}}}":            " .Values.port ",
		` {"a": {"b": 1}} }}, c: 1}`:     ` {"a": {"b": 1}} `,
		` {"a": {"b": 1}}}}`:             ` {"a": {"b": 1}}`,
		` default("}") }}`:               ` default("}") `,
		` it's }} and it's`:              ` it's `,
		` printf "{" }}: x`:              ` printf "{" `,
		` { never closed }} {{ other }}`: ` { never closed `,
	} {
		n := braceEnd(text)
		if n < 0 || text[:n] != want {
			t.Errorf("braceEnd(%q) = %d, want %q", text, n, want)
		}
	}
	if braceEnd("no end") != -1 {
		t.Error("an open expression has no end")
	}
}
