package rules

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// maxAttempts is how many attempts one request may turn into before it is called amplification.
const maxAttempts = 4

func retryAmplification() Rule {
	return Rule{
		ID: "retry/amplification", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the attempts of all layers multiply above 4", Zh: "各层重试相乘超过 4 次"},
		Pool: func(p *Pool, r *Reporter) {
			product := int64(1)
			var parts []string
			var h Hit
			for _, side := range []schema.Side{schema.App, schema.Gateway} {
				most := int64(0)
				for _, c := range p.Of(side) {
					f, ok := c.Copy.Get("retry.attempts")
					if !ok || f.Value.Int() <= most {
						continue
					}
					most = f.Value.Int()
					if h.Copy != nil {
						h.Related = append(h.Related, Relative{Copy: h.Copy, At: h.At, Label: schema.Textf("multiplies with these attempts", "与此处的重试相乘")})
					}
					h.Copy, h.At = c.Copy, f.At
				}
				if most > 0 {
					product *= 1 + min(most, 1<<20)
					parts = append(parts, fmt.Sprintf("%s 1+%d", side, most))
				}
			}
			if product <= maxAttempts {
				return
			}
			how := strings.Join(parts, " x ")
			h.Path, h.Got, h.Want = "retry.attempts", fmt.Sprint(product), fmt.Sprintf("<= %d", maxAttempts)
			h.Text = schema.Textf("one request may turn into %d attempts (%s): a struggling member gets buried when it needs relief", "一个请求可能变成 %d 次尝试（%s）：成员最需要喘息时反而被压垮", product, how)
			h.Hint = schema.Textf("retry in one layer only, or set a retry budget", "只在一层重试，或设置重试预算")
			r.Hit(h)
		},
	}
}
