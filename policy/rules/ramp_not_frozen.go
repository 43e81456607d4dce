package rules

import "github.com/poolproof/poolproof/schema"

func rampNotFrozen() Rule {
	return Rule{
		ID: "ramp/not-frozen", Severity: schema.Warning,
		Title: schema.Text{En: "a ramp is stated and no change order in force freezes it", Zh: "写有放量批次，但没有生效的变更单冻结它"},
		Pool: func(p *Pool, r *Reporter) {
			row := p.Rows[schema.Ramp]
			if row.Side != schema.Order || row.Copy != nil || p.Run.Manifest.Discovered && !p.Run.Sides[schema.Order] {
				return
			}
			for _, c := range p.Copies {
				if !c.Copy.States(schema.Ramp) || c.Copy.Side == schema.Order || len(c.Copy.Batches) == 0 {
					continue
				}
				r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Ramp], Item: schema.Ramp, Truth: p.rowName(schema.Ramp),
					Text: schema.Textf("the %s copy states a ramp that no change order in force freezes", "%s副本写有放量批次，但没有生效的变更单冻结它", SideName(c.Copy.Side)),
					Hint: schema.Textf("freeze the ramp in a change order that is in force (poolproof schema prints its grammar, #ChangeOrder), or remove it here",
						"在已生效的变更单中冻结批次（语法见 poolproof schema 的 #ChangeOrder），或从此处删除")})
				return
			}
		},
	}
}
