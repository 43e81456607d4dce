package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// readRetry: what is not written is not done.
func (e *Engine) readRetry(r *setting.Reader) {
	c := &e.cfg
	c.attempts = min(max(0, r.Int("retry.attempts", 0)), 1<<15)
	c.repeatable = r.Flag("retry.nonIdempotent")
	c.total = max(0, span(r, "retry.total", 0))
	if v, ok := r.Value("retry.budget"); ok {
		c.budget = max(v.Number(), 1e-9)
	}
	list, ok := r.List("retry.on")
	if !ok {
		list = []string{"connect", "timeout", "reset", "502", "503", "504"}
	}
	for _, word := range list {
		switch word {
		case "connect", "conn-failure", "connect-failure", "refused":
			c.onKind[failover.Refused], c.onKind[failover.ConnectTimeout] = true, true
		case "timeout", "response-timeout":
			c.onKind[failover.Timeout], c.onKind[failover.ConnectTimeout] = true, true
		case "reset", "empty-response":
			c.onKind[failover.Reset] = true
		case "error":
			c.onKind[failover.Refused], c.onKind[failover.Reset] = true, true
		default:
			if set := setting.ParseStatuses([]string{word}); set != (setting.Statuses{}) {
				for i := range set {
					c.onStatus[i] |= set[i]
				}
			} else if c.attempts > 0 {
				r.Assume(schema.Textf("retry.on: %q is not known and not repeated", "retry.on：%q 未知，不重试", word))
			}
		}
	}
	c.onKind[failover.Severed] = c.onKind[failover.Reset]
}

func (e *Engine) readProbe(r *setting.Reader) {
	c := &e.cfg
	c.probing = c.probes != off && (r.Copy.States(schema.Probe) || c.exit == byProbe && c.starts == probePassed)
	if _, never := r.Value("probe.off"); never {
		c.probing = false
	}
	if c.interval = span(r, "probe.interval", defaultInterval); c.interval <= 0 {
		c.probing = false
	}
	c.fast = positive(span(r, "probe.intervals.fast", 0), c.interval)
	c.down = positive(span(r, "probe.intervals.down", 0), c.interval)
	c.till = positive(span(r, "probe.timeout", 0), c.interval)
	if v, ok := r.Value("probe.jitter"); ok {
		c.jitter = max(0, min(v.Number(), 1))
	}
	c.rise, c.fall = max(1, r.Int("probe.rise", defaultRise)), max(1, r.Int("probe.fall", defaultFall))
	c.path = r.Text("probe.path", "")
	switch r.Text("probe.protocol", "") {
	case "http", "https":
	case "":
		c.tcp = c.path == ""
	default:
		c.tcp = true
	}
	if c.path == "" {
		c.path = "/"
	}
	c.good.Add(200, 399)
	if list, ok := r.List("probe.expect.statuses"); ok {
		c.good = setting.ParseStatuses(list)
	}
	if !c.probing && (c.exit == byProbe || c.starts == probePassed) {
		r.Assume(schema.Textf("no probe is sent: what waits for one does not wait", "没有探测：需等待探测的步骤不再等待"))
		if c.exit == byProbe {
			c.exit = byTimer
		}
		if c.starts == probePassed {
			c.starts = drained
		}
	}
}

func positive(d, def time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return def
}

func (e *Engine) readAllOut(r *setting.Reader) {
	c := &e.cfg
	_, said := r.Value("onAllOut.then", "onAllOut.panicBelow", "onAllOut.alertAfter")
	if !said {
		r.Assume(schema.Textf("no onAllOut is written: when all are out, all get traffic", "未写 onAllOut：全部摘除时照常转发给所有成员"))
	}
	c.reject = r.Text("onAllOut.then", "pass") == "reject"
	if v, ok := r.Value("onAllOut.panicBelow"); ok {
		c.panicBelow = v.Number()
	}
	c.alertAfter = max(0, span(r, "onAllOut.alertAfter", 0))
}
