package rules

import (
	"fmt"
	"slices"
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
			product, written := int64(1), false
			var parts []string
			var layers []*Copy
			for _, side := range []schema.Side{schema.App, schema.Gateway} {
				c, most := p.mostRetries(side)
				if c == nil {
					continue
				}
				_, says := c.Copy.Get("retry.attempts")
				written = written || says
				product *= 1 + min(most, 1<<20)
				parts = append(parts, fmt.Sprintf("%s 1+%d", side, most))
				layers = append(layers, c)
			}
			if product <= maxAttempts || !written {
				return
			}
			how := strings.Join(parts, " x ")
			h := Hit{Copy: layers[0].Copy, At: layers[0].Place("retry.attempts"), Path: "retry.attempts", Got: fmt.Sprint(product), Want: fmt.Sprintf("<= %d", maxAttempts)}
			for _, c := range layers[1:] {
				h.Related = append(h.Related, Relative{Copy: c.Copy, At: c.Place("retry.attempts"),
					Label: plus(schema.Textf("multiplies with these retries", "与此处的重试相乘"), c.implied("retry.attempts"))})
			}
			h.Text = schema.Textf("one request may turn into %d attempts (%s): a struggling member is asked most when it needs relief", "一个请求可能变成 %d 次尝试（%s）：成员最需要喘息时反而被请求最多", product, how)
			h.Hint = schema.Textf("retry in one layer only, or set a retry budget", "只在一层重试，或设置重试预算")
			r.Hit(h)
		},
	}
}

// connectsOnly reports whether a layer retries only failed connections.
func (c *Copy) connectsOnly() bool {
	on, _, ok := c.Value("retry.on")
	list := on.List()
	return ok && len(list) > 0 && !slices.ContainsFunc(list, func(s string) bool {
		switch s {
		case "connect", "conn-failure", "connect-failure", "refused-stream", "0rtt-rejected":
			return false
		}
		return true
	})
}

// mostRetries returns the copy of a side that retries most and how often, nil if none does. A layer whose retries have
// a budget adds next to nothing under load, and one that retries only where no connection came about sends no request
// twice; neither counts.
func (p *Pool) mostRetries(side schema.Side) (*Copy, int64) {
	var who *Copy
	most := int64(0)
	for _, c := range p.Of(side) {
		if !c.Copy.States(schema.Retry) || c.Said("retry.budget") || c.connectsOnly() {
			continue
		}
		if n, ok := c.Int("retry.attempts"); ok && n > most {
			who, most = c, n
		}
	}
	return who, most
}
