package rules

import "github.com/poolproof/poolproof/schema"

func retryUnsafeReplay() Rule {
	return Rule{
		ID: "retry/unsafe-replay", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "requests that are not idempotent are replayed", Zh: "非幂等请求会被重放"},
		Copy: deciding(schema.Retry, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("retry.nonIdempotent")
			if !ok || !f.Value.Bool() {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "retry.nonIdempotent", Got: "true", Want: "false",
				Text: schema.Textf("requests that are not idempotent are sent again: an order may be placed twice", "非幂等请求会被重发：可能重复下单"),
				Hint: schema.Textf("retry only idempotent requests, or requests that carry an idempotency key", "只重试幂等请求，或带幂等键的请求")})
		}),
	}
}
