package rules

import "github.com/poolproof/poolproof/schema"

func rampNoStop() Rule {
	return Rule{
		ID: "ramp/no-stop", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a ramp without a condition that stops it", Zh: "放量没有停止条件"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			if !c.Native() || len(c.Copy.Batches) == 0 || len(c.Copy.Stops) > 0 || c.Said("ramp.stop") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Ramp], Item: schema.Ramp, Field: "stop",
				Text: schema.Textf("nothing stops this ramp when a batch goes wrong", "批次出错时没有任何条件会停止放量"),
				Hint: schema.Textf("add stop: [{metric: error-rate, above: 0.01}, {metric: latency-p99, above: 1.5, against: baseline}]", "补上 stop: [{metric: error-rate, above: 0.01}, {metric: latency-p99, above: 1.5, against: baseline}]")})
		}),
	}
}
