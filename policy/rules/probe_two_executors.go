package rules

import (
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/schema"
)

func probeTwoExecutors() Rule {
	return Rule{
		ID: "probe/two-executors", Severity: schema.Error,
		Title: schema.Text{En: "application and gateway both state a probe, and nobody said which of them executes it", Zh: "应用与网关都写有探测，且未说明由谁执行"},
		Pool: func(p *Pool, r *Reporter) {
			row := p.Rows[schema.Probe]
			if len(row.Executors) < 2 {
				return
			}
			var h Hit
			for _, c := range p.Copies {
				if !truth.WritesProbe(c.Copy) || c.Copy.Side != schema.App && c.Copy.Side != schema.Gateway {
					continue
				}
				if c.Copy.Side == schema.App && h.Copy == nil {
					h.Copy, h.At = c.Copy, c.Copy.ItemAt[schema.Probe]
					continue
				}
				h.Related = append(h.Related, Relative{Copy: c.Copy, At: c.Copy.ItemAt[schema.Probe], Label: schema.Textf("the %s states a probe too", "%s也写有探测", SideName(c.Copy.Side))})
			}
			h.Item, h.Truth = schema.Probe, p.rowName(schema.Probe)
			h.Text = schema.Textf("both the application and the gateway state a probe, and nobody said which of them executes it", "应用与网关都写有探测，且未说明由谁执行")
			h.Hint = schema.Textf("set executor: gateway or executor: app for this pool in the manifest", "在清单中为该池设置 executor: gateway 或 executor: app")
			r.Hit(h)
		},
	}
}
