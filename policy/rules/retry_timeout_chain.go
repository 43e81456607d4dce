package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

func retryTimeoutChain() Rule {
	return Rule{
		ID: "retry/timeout-chain", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "an outer limit ends before the attempts that it encloses", Zh: "外层时限早于其包含的尝试结束"},
		Copy: func(c *Copy, r *Reporter) {
			total, ok := c.Copy.Get("retry.total")
			try, ok2 := c.Copy.Get("retry.perTry")
			attempts, _ := c.Copy.Get("retry.attempts")
			if !ok || !ok2 || total.Value.Duration() == 0 {
				return
			}
			need := try.Value.Duration() * time.Duration(1+attempts.Value.Int())
			if total.Value.Duration() >= need {
				return
			}
			got, want := schema.FormatDuration(total.Value.Duration()), schema.FormatDuration(need)
			r.Hit(Hit{Copy: c.Copy, At: total.At, Path: "retry.total", Got: got, Want: ">= " + want,
				Text: schema.Textf("the total limit of %s ends before %d attempts of %s each (%s)", "总时限 %s 早于 %d 次尝试（每次 %s，共 %s）结束", got, 1+attempts.Value.Int(), schema.FormatDuration(try.Value.Duration()), want),
				Hint: schema.Textf("raise the total, or shorten or drop attempts", "提高总时限，或缩短、减少尝试")})
		},
	}
}
