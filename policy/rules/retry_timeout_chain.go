package rules

import "github.com/poolproof/poolproof/schema"

func retryTimeoutChain() Rule {
	return Rule{
		ID: "retry/timeout-chain", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "an outer limit ends before the attempts that it encloses", Zh: "外层时限早于其包含的尝试结束"},
		Copy: deciding(schema.Retry, func(c *Copy, r *Reporter) {
			total, _ := c.Duration("retry.total")
			try, _ := c.Duration("retry.perTry")
			retries, _ := c.Int("retry.attempts")
			if total <= 0 || try <= 0 || retries < 0 {
				return // 0 is no limit
			}
			need := rounds(try, 1+min(retries, 1<<32), 0)
			if total >= need {
				return
			}
			got, want := schema.FormatDuration(total), schema.FormatDuration(need)
			r.Hit(Hit{Copy: c.Copy, At: c.Place("retry.total"), Path: "retry.total", Got: got, Want: ">= " + want,
				Text: plus(schema.Textf("the limit of %s for a request ends before %d attempts of %s each (%s)", "请求总时限 %s 早于 %d 次尝试（每次 %s，共 %s）结束", got, 1+retries, schema.FormatDuration(try), want), c.implied("retry.total")),
				Hint: schema.Textf("raise the limit to %s, or shorten or drop attempts", "将总时限提高到 %s，或缩短、减少尝试", want)})
		}),
	}
}
