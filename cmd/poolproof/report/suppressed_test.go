package report

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// A marker stands in the file that was judged, an exception does not.
func TestSuppressionKind(t *testing.T) {
	for by, want := range map[string]string{
		schema.MarkerBy + "a until 2026-12-31T00:00:00Z":    "inSource",
		schema.ExceptionBy + "a until 2026-12-31T00:00:00Z": "external",
	} {
		r := sarifResultOf(&schema.Finding{Rule: "ramp/metrics", Status: schema.Suppressed, SuppressedBy: by}, 0, "")
		if len(r.Suppressions) != 1 || r.Suppressions[0].Kind != want || r.Suppressions[0].Justification != by {
			t.Errorf("%q: %+v", by, r.Suppressions)
		}
	}
}
