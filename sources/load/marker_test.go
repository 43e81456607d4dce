package load

import (
	"slices"
	"testing"
)

func TestMarkerPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, format, text string
		want               []string
	}{
		{"a comment", "haproxy", "server a # poolproof:ignore x/y until=2026-12-31\nb\r\n# poolproof:ignore z\r\n", []string{" x/y until=2026-12-31", " z"}},
		{"comments of many formats", "", "// poolproof:ignore a\n/* poolproof:ignore b */\n * poolproof:ignore c\n; poolproof:ignore d\n{# poolproof:ignore e #}\n#poolproof:ignore f", []string{" a", " b */", " c", " d", " e #}", " f"}},
		{"prose is no marker", "poolproof", "note: write poolproof:ignore RULE to silence it\n", nil},
		{"Markdown", "markdown", "<!-- poolproof:ignore a -->\n", []string{" a -->"}},
		{"Markdown that speaks of markers", "markdown", "Write `poolproof:ignore RULE` or\n# poolproof:ignore\n\n```yaml\n<!-- poolproof:ignore a -->\n```\n", nil},
		{"a fence inside a longer one", "markdown", "````\n```\n<!-- poolproof:ignore a -->\n````\n<!-- poolproof:ignore b -->\n", []string{" b -->"}},
		{"none", "yaml", "a: b\n", nil},
	} {
		var got []string
		for _, m := range markers([]byte(tt.text), tt.format) {
			got = append(got, m.Text)
			if s := tt.text[m.At.Start:m.At.End]; s != markerWord+m.Text {
				t.Errorf("%s: the place holds %q", tt.name, s)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
