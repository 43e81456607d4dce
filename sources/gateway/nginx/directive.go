package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// directive is a directive with its arguments and, where it has one, its block.
type directive struct {
	name word
	args []word
	// end is the byte after the ';' or '}'.
	end   int
	body  []directive
	block bool
	// ended: a ';' or a block ends it, as it should.
	ended bool
	// maybe: a condition or loop of a template decides whether, and how often, it stands in its block.
	maybe bool
	// loose: no directive but a template mark that stands for unknown text.
	loose bool
}

// span covers the whole directive.
func (d *directive) span() schema.Span { return schema.At(d.first(), d.end) }

func (d *directive) first() int {
	if d.name.quoted {
		return d.name.start - 1
	}
	return d.name.start
}

// head covers name and arguments.
func (d *directive) head() schema.Span {
	end := d.name.end
	if n := len(d.args); n > 0 {
		end = d.args[n-1].end
	}
	return schema.At(d.first(), max(end, d.first()))
}

// templated reports whether a template mark stands in name or arguments.
func (d *directive) templated() bool {
	return d.name.template || slices.ContainsFunc(d.args, func(w word) bool { return w.template })
}

// text joins the arguments with spaces.
func (d *directive) text() string {
	if len(d.args) == 1 {
		return strings.Clone(d.args[0].text)
	}
	parts := make([]string, len(d.args))
	for i, a := range d.args {
		parts[i] = a.text
	}
	return strings.Join(parts, " ")
}
