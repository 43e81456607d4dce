package rules

import "github.com/poolproof/poolproof/schema"

func poolDuplicate() Rule {
	return Rule{
		ID: "pool/duplicate", Severity: schema.Error,
		Title: schema.Text{En: "two copies on the truth's side state the same item differently", Zh: "真相方的两个副本对同一项写法不同"},
		Pool: func(p *Pool, r *Reporter) {
			type pair struct {
				item schema.Item
				copy *schema.Copy
			}
			said := map[pair]bool{}
			for i := range p.Duplicates {
				d := &p.Duplicates[i]
				if said[pair{d.Item, d.Copy}] {
					continue
				}
				said[pair{d.Item, d.Copy}] = true
				h := Hit{Copy: d.Copy, At: d.Copy.ItemAt[d.Item], Item: d.Item, Got: d.Got, Want: d.Want, Truth: p.rowName(d.Item), Related: truthRelative(d)}
				if p.Run.Manifest.Discovered && d.Copy.File() != d.Truth.File() {
					// Nobody said that these files belong together; equal names may be chance.
					h.Severity = schema.Warning
				}
				h.Text = schema.Textf("two %s copies state %s differently, %s and %s: nobody can say which of them runs", "两个%s副本对%s的写法不同：%s 与 %s，无法判断哪一份生效", SideName(d.Copy.Side), itemName(d.Item), d.Truth.File(), d.Copy.File())
				h.Hint = schema.Textf("keep one of them, or name the one that counts: truth: {%s: {copy: %q, reason: ...}}", "保留其一，或指明以哪个为准：truth: {%s: {copy: %q, reason: ...}}", d.Item, d.Truth.File())
				r.Hit(h)
			}
		},
	}
}
