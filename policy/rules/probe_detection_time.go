package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

func probeDetectionTime() Rule {
	return Rule{
		ID: "probe/detection-time", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a document promises a faster detection than the probe can give", Zh: "文档承诺的发现时间短于探测所能达到的"},
		Copy: func(c *Copy, r *Reporter) {
			promise, ok := c.Copy.Get("probe.detectionTime")
			if !ok || promise.Value.Duration() == 0 {
				return
			}
			worst, ok := c.In.detection()
			if !ok || promise.Value.Duration() >= worst {
				return
			}
			got, want := schema.FormatDuration(promise.Value.Duration()), schema.FormatDuration(worst)
			r.Hit(Hit{Copy: c.Copy, At: promise.At, Item: schema.Probe, Field: "detectionTime", Got: got, Want: ">= " + want,
				Text: schema.Textf("the document promises detection within %s; interval x fall + timeout is %s", "文档承诺 %s 内发现故障；而 间隔 x 失败阈值 + 超时 为 %s", got, want),
				Hint: schema.Textf("promise at least %s, or probe faster", "承诺时间至少写 %s，或加快探测", want)})
		},
	}
}

// detection is the longest time that the pool's probe takes to notice a dead member: interval x fall + timeout.
func (p *Pool) detection() (time.Duration, bool) {
	interval, ok := p.Find("probe.interval")
	fall, ok2 := p.Find("probe.fall")
	if !ok || !ok2 {
		return 0, false
	}
	timeout, _ := p.Find("probe.timeout")
	return interval.Duration()*time.Duration(fall.Int()) + timeout.Duration(), true
}
