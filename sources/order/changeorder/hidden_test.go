package changeorder

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// What no reader of a text sees is no order: the example of a template, or one that was slipped in.
func TestHiddenBlocks(t *testing.T) {
	const block = "```yaml\npoolproof: change-order/v1\nid: CHG-1\npools: [orders]\ninitiator: a\neffective: 2026-01-01T00:00:00Z\nitems: [{pool: orders, item: members}]\n```\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"in sight":                       {"why\n\n" + block, 1},
		"below a comment":                {"<!-- fill this in -->\n" + block, 1},
		"in a comment":                   {"why\n<!--\n" + block + "-->\n", 0},
		"in a comment that does not end": {"<!-- x\n\n" + block, 0},
		"in and below a comment":         {"  <!--\n" + block + " x --> y\n" + block, 1},
		"in a script":                    {"<SCRIPT type=x>\n" + block + "</script>\n", 0},
		"in a block of code":             {"    <!--\n" + block, 1},
		"in details":                     {"<details>\n\n" + block + "</details>\n", 1},
	} {
		r := sourcetest.Read(Adapter(), "a.md", []byte(c.text), schema.Source{})
		if len(r.Orders) != c.want {
			t.Errorf("%s: %d orders, want %d", name, len(r.Orders), c.want)
		}
	}
}
