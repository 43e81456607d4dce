package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

func probeDetectionTime() Rule {
	return Rule{
		ID: "probe/detection-time", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a document promises a faster detection than the probe can give", Zh: "文档承诺的发现时间短于探测所能达到的"},
		Copy: func(c *Copy, r *Reporter) {
			if c.Copy.Side != schema.Doc {
				return
			}
			worst, ok := c.In.detection()
			if !ok {
				return
			}
			for i := range c.Copy.Fields {
				promise := &c.Copy.Fields[i]
				d := promise.Value.Duration()
				if d <= 0 || d >= worst || !promisesDetection(promise.Path) {
					continue
				}
				got, want := schema.FormatDuration(d), schema.FormatDuration(worst)
				r.Hit(Hit{Copy: c.Copy, At: promise.At, Item: schema.Probe, Field: "detectionTime", Got: got, Want: ">= " + want,
					Text: schema.Textf("the document promises detection within %s; interval x fall + timeout of the probe is %s", "文档承诺 %s 内发现故障；而探测的 间隔 x 失败阈值 + 超时 为 %s", got, want),
					Hint: schema.Textf("promise at least %s, or probe faster", "承诺时间至少写 %s，或加快探测", want)})
			}
		},
	}
}

// promisesDetection reports whether a document's setting says how fast a fault is found.
func promisesDetection(name schema.Path) bool {
	switch vocabulary.Normal(string(name)) {
	case "detectiontime", "timetodetect", "timetodetection", "detectedwithin", "faultdetectiontime", "failuredetectiontime",
		"发现时间", "发现时长", "故障发现时间", "故障发现时长", "检测时间", "故障检测时间":
		return true
	}
	return false
}

// detection is the longest time that the pool's probe takes to notice a dead member: interval x fall + timeout.
func (p *Pool) detection() (time.Duration, bool) {
	interval, ok := p.Find("probe.interval")
	fall, ok2 := p.Find("probe.fall")
	if !ok || !ok2 {
		return 0, false
	}
	timeout, _ := p.Find("probe.timeout")
	return rounds(interval.Duration(), fall.Int(), timeout.Duration()), true
}

// rounds is how long n rounds of a length take, and one more wait, bounded so that it cannot leave the range of durations.
func rounds(length time.Duration, n int64, wait time.Duration) time.Duration {
	const most = 1 << 60
	if length > 0 && n > int64(most/length) || wait > most {
		return most
	}
	return length*time.Duration(n) + wait
}
