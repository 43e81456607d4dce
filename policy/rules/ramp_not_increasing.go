package rules

import "github.com/poolproof/poolproof/schema"

func rampNotIncreasing() Rule {
	return Rule{
		ID: "ramp/not-increasing", Severity: schema.Error,
		Title: schema.Text{En: "a batch's share is not above the one before", Zh: "批次比例没有高于前一批"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			last := -1.0
			for i := range c.Copy.Batches {
				b := &c.Copy.Batches[i]
				if !b.HasShare {
					continue
				}
				if b.Share <= last && !b.Implied {
					r.Hit(Hit{Copy: c.Copy, At: firstKnown(b.ShareAt, b.At), Item: schema.Ramp, Field: batchField(i, "share"), Got: percent(b.Share), Want: "> " + percent(last),
						Text: schema.Textf("batch %d has a share of %s, not above the %s before it", "第 %d 批比例为 %s，未高于前一批的 %s", i+1, percent(b.Share), percent(last)),
						Hint: schema.Textf("each batch takes more traffic than the one before; going back is what rollback is for", "每批比例须大于前一批；回退由 rollback 负责")})
				}
				last = b.Share
			}
		}),
	}
}
