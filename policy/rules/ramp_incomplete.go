package rules

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

func rampIncomplete() Rule {
	return Rule{
		ID: "ramp/incomplete", Severity: schema.Error,
		Title: schema.Text{En: "the last batch is not 100 %", Zh: "最后一批不是 100%"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			if len(c.Copy.Batches) == 0 || c.unresolvedBatch() {
				return
			}
			b := &c.Copy.Batches[len(c.Copy.Batches)-1]
			if !b.HasShare || b.Share == 100 {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: firstKnown(b.ShareAt, b.At), Item: schema.Ramp, Field: batchField(len(c.Copy.Batches)-1, "share"), Got: percent(b.Share), Want: "100%",
				Text: schema.Textf("the ramp ends at %s: the rest never comes back", "放量止于 %s：其余流量不会回归", percent(b.Share)),
				Hint: schema.Textf("add a last batch of 100%%", "增加最后一批 100%%")})
		}),
	}
}

// unresolvedBatch reports whether some batch stands only as a template, so that the list cannot be judged as a whole.
func (c *Copy) unresolvedBatch() bool {
	for _, u := range c.Copy.Unresolved {
		if u.Path.Item() == schema.Ramp {
			return true
		}
	}
	return false
}

func batchField(i int, leaf string) string { return fmt.Sprintf("batches[%d].%s", i, leaf) }

func percent(f float64) string { return schema.NumberOf(f).String() + "%" }

func firstKnown(a, b schema.Span) schema.Span {
	if a.Known() {
		return a
	}
	return b
}
