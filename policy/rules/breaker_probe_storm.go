package rules

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

func breakerProbeStorm() Rule {
	return Rule{
		ID: "breaker/probe-storm", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "after a cooldown all traffic tries the member at once", Zh: "冷却结束后全部流量同时试探该成员"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			name, _ := c.engine()
			switch {
			case !c.runs():
			case c.Native() && (name == "" || name == "pool"):
				c.timerStorm(r)
			case name == "resilience4j" || name == "spring":
				c.halfOpenStorm(r)
			}
		}),
	}
}

// timerStorm: a cooldown that ends by the clock alone, with no ramp behind it, proves nothing and bounds nothing.
func (c *Copy) timerStorm(r *Reporter) {
	exit, written := c.Copy.Get("cooldown.exit")
	if !written || exit.Value.Text() != "timer" || !c.In.stated(schema.Decision) {
		return
	}
	for _, other := range c.In.Copies {
		if other.Copy.States(schema.Ramp) {
			return
		}
	}
	r.Hit(Hit{Copy: c.Copy, At: exit.At, Path: "cooldown.exit", Got: "timer", Want: "same-as-entry, or a ramp",
		Text: schema.Textf("when the cooldown is over the member gets all its traffic at once: nothing bounds the trials, and a member that is still ill fails them all",
			"冷却一结束，该成员立即得到全部流量：试探没有上限，若仍未恢复则全部失败"),
		Hint: schema.Textf("write exit: same-as-entry, which tries one request at a time, or a ramp", "请写 exit: same-as-entry（一次只试探一个请求），或写 ramp")})
}

// manyTrials is how many trial calls at once are no storm yet, whatever the window is.
const manyTrials = 50

// halfOpenStorm: more trial calls than the window that condemned the member holds, and many of them.
func (c *Copy) halfOpenStorm(r *Reporter) {
	const trials = "permittedNumberOfCallsInHalfOpenState"
	f, written := c.Copy.Get(trials)
	kind, _ := c.Text("slidingWindowType")
	size, ok := c.Int("slidingWindowSize")
	if !written || !ok || kind != "COUNT_BASED" || f.Value.Int() <= max(size, manyTrials) {
		return
	}
	r.Hit(Hit{Copy: c.Copy, At: f.At, Item: schema.Cooldown, Field: trials, Got: fmt.Sprint(f.Value.Int()), Want: fmt.Sprintf("<= %d", size),
		Text: schema.Textf("half-open lets %d calls through at once, more than the window of %d calls%s that opens the breaker: a member that is still ill gets a full load of them",
			"半开状态一次放行 %d 个调用，超过触发断开的 %d 次调用窗口%s：仍未恢复的成员会承受整批请求", f.Value.Int(), size, c.implied("slidingWindowSize")),
		Hint: schema.Textf("permit as few calls as prove a recovery; 10 is the default", "只放行足以证明恢复的调用数；默认为 10")})
}
