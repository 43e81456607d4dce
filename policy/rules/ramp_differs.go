package rules

import "github.com/poolproof/poolproof/schema"

func rampDiffers() Rule {
	return Rule{ID: "ramp/differs", Severity: schema.Error, Pool: differs(schema.Ramp),
		Title: schema.Text{En: "a copy states another ramp than the frozen change order", Zh: "副本的放量批次与已冻结的变更单不同"}}
}
