package rules

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

func membersCannotCompare() Rule {
	return Rule{
		ID: "members/cannot-compare", Severity: schema.Warning,
		Title: schema.Text{En: "one copy lists names and another addresses, and no alias joins them", Zh: "一个副本写主机名，另一个写地址，且没有别名对应"},
		Pool: func(p *Pool, r *Reporter) {
			for i := range p.Divergences {
				d := &p.Divergences[i]
				if d.Kind != reconcile.CannotCompare {
					continue
				}
				rel := truthRelative(&d.Divergence)
				for i := range rel {
					rel[i].Truth = !d.Silent
				}
				row := p.rowName(schema.Members)
				if d.Silent {
					row = ""
				}
				r.Hit(Hit{Copy: d.Copy, At: d.At, Item: schema.Members, Got: d.Got, Want: d.Want, Truth: row, Related: rel,
					Text: schema.Textf("%s cannot be compared with %s: a name and an address cannot be told apart or together", "%s 无法与 %s 比较：主机名与地址既不能认定相同，也不能认定不同", d.Got, d.Want),
					Hint: schema.Textf("write aliases in the manifest: aliases: {host-name: address}", "在清单中写明别名：aliases: {主机名: 地址}")})
			}
		},
	}
}
