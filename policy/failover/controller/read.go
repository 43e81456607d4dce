package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// read fills in the settings of the pool.
func (e *Engine) read(r *setting.Reader, o *failover.Options) {
	e.readLimits(r)
	e.readDecision(r)
	e.readGranularity(r, o)
	e.readCounts(r)
	e.readCooldown(r)
	e.readRetry(r)
	e.readProbe(r)
	e.readAllOut(r)
}

func (e *Engine) readLimits(r *setting.Reader) {
	l := &e.info.Limits
	l.Connect, l.Response = defaultConnect, defaultResponse
	per := span(r, "retry.perTry", 0)
	if per <= 0 {
		per = span(r, "retry.total", 0)
	}
	if per > 0 {
		l.Connect, l.Response = min(l.Connect, per), per
	} else {
		r.Assume(schema.Textf("no retry.perTry is written: an attempt may take %s to connect and %s to answer", "未写 retry.perTry：每次尝试连接限时 %s、应答限时 %s",
			schema.FormatDuration(l.Connect), schema.FormatDuration(l.Response)))
	}
	e.cfg.drainLimit = l.Connect + l.Response + leaseSlack
}

func (e *Engine) readDecision(r *setting.Reader) {
	c := &e.cfg
	c.window = max(0, span(r, "decision.window", 0))
	c.minSamples = max(1, r.Int("decision.minSamples", 1))
	c.ratio = 2
	if v, ok := r.Value("decision.errorRatio"); ok {
		c.ratio = v.Number()
	}
	c.consecutive = max(0, r.Int("decision.consecutive", 0))
	if over := span(r, "decision.slow.threshold", 0); over > 0 {
		c.slowOver, c.slowTimes = over, max(1, r.Int("decision.slow.confirmations", 1))
		c.slowDedupe = max(0, span(r, "decision.slow.dedupe", 0))
	}
	c.business = parseRole(r.Text("decision.roles.business", "judge"))
	c.probes = parseRole(r.Text("decision.roles.probe", "prescreen"))
	c.external = parseRole(r.Text("decision.roles.external", "review"))
	c.clears = r.Flag("decision.externalClears")
	if c.ratio > 1 && c.consecutive == 0 && c.slowTimes == 0 && c.business == judges {
		c.ratio = defaultRatio
		if c.window == 0 {
			c.window = defaultWindow
		}
		c.minSamples = r.Int("decision.minSamples", defaultSamples)
		r.Assume(schema.Textf("no condition of decision is written: %g of at least %d results failing within %s", "decision 未写判定条件：按 %[3]s 内至少 %[2]d 个结果中失败占比 %[1]g 处理",
			c.ratio, c.minSamples, schema.FormatDuration(c.window)))
	}
	c.lastN = min(max(c.minSamples, defaultSamples), 1<<20)
}

func parseRole(name string) role {
	switch name {
	case "judge":
		return judges
	case "off":
		return off
	}
	return advises
}

// readGranularity finds what divides the requests of a member, and how far a domain reaches.
func (e *Engine) readGranularity(r *setting.Reader, o *failover.Options) {
	c := &e.cfg
	cooling := r.Text("cooldown.granularity", "")
	name := r.Text("decision.granularity", cooling)
	switch name {
	case "interface":
		c.divide, e.kinds = byInterface, o.Interfaces
	case "region":
		c.divide, e.kinds = byRegion, o.Regions
		if _, seen := r.Value("decision.regionFrom"); !seen {
			c.divide, e.kinds = byNothing, nil
			r.Assume(schema.Textf("no decision.regionFrom is written: the source region cannot be seen, so whole addresses are judged", "未写 decision.regionFrom：看不到来源地域，按整个地址判定"))
		}
	case "business":
		c.divide, e.kinds = byTenant, o.Tenants
		c.line = r.Text("decision.scope", "line-on-address") == "line"
	}
	if len(e.kinds) < 2 {
		c.divide, e.kinds = byNothing, []string{""}
	}
	if cooling != "" && cooling != name {
		if c.together = cooling == "address" && c.divide != byNothing && !c.line; !c.together {
			r.Assume(schema.Textf("cooldown.granularity is %s and that of decision is %s; played by the latter", "cooldown.granularity 为 %s 而 decision 为 %s；按后者处理", cooling, name))
		}
	}
}

// readCounts sets the class of each result.
func (e *Engine) readCounts(r *setting.Reader) {
	c := breaker.NewClassifier()
	if list, ok := r.List("decision.counts"); ok {
		known := list[:0:0]
		for _, word := range list {
			if err := breaker.NewClassifier().Counting(word); err != nil {
				r.Assume(schema.Textf("decision.counts: %q is not known and counts for nothing", "decision.counts：%q 未知，不计入", word))
				continue
			}
			known = append(known, word)
		}
		// Every word has been tried.
		_ = c.Counting(known...)
	}
	for s := range e.cfg.status {
		e.cfg.status[s] = c.Result(s, breaker.Answered, 0).Class
	}
	for kind, as := range map[failover.Kind]breaker.Kind{
		failover.Refused: breaker.Connect, failover.ConnectTimeout: breaker.Connect, failover.Timeout: breaker.Timeout, failover.Reset: breaker.Reset,
		failover.Severed: breaker.Rejected, failover.Cancelled: breaker.Cancel,
	} {
		e.cfg.kind[kind] = c.Result(0, as, 0).Class
	}
}

func (e *Engine) readCooldown(r *setting.Reader) {
	c := &e.cfg
	if v, ok := r.Value("cooldown.duration"); ok {
		if c.cool.Duration = bounded(v.Duration()); c.cool.Duration == 0 {
			c.cool.Duration = cooldown.None
		}
	} else {
		r.Assume(schema.Textf("no cooldown.duration is written: %s", "未写 cooldown.duration：按 %s 处理", schema.FormatDuration(cooldown.Default)))
	}
	first := c.cool.Length(1)
	if most := span(r, "cooldown.max", 0); most > 0 {
		c.cool.Max = max(most, first)
	}
	factor, _ := r.Value("cooldown.growth.factor")
	switch r.Text("cooldown.growth.kind", "") {
	case "linear":
		c.cool.Growth, c.cool.Factor = cooldown.Linear, max(0, factor.Number())
	case "exponential":
		c.cool.Growth, c.cool.Factor = cooldown.Exponential, factor.Number()
		if factor.Said() {
			c.cool.Factor = max(1, factor.Number())
		}
	}
	if r.Flag("cooldown.growth.decays") {
		c.cool.Decay = max(first, 1)
	}
	if v, ok := r.Value("cooldown.jitter"); ok {
		c.cool.Jitter = max(0, min(v.Number(), 1))
	}
	switch r.Text("cooldown.startsAt", "drained") {
	case "ejected":
		c.starts = ejected
	case "probe-passed":
		c.starts = probePassed
	}
	switch r.Text("cooldown.exit", "same-as-entry") {
	case "probe":
		c.exit = byProbe
	case "timer":
		c.exit = byTimer
	}
	if c.lease = span(r, "cooldown.probeLease", 0); c.lease <= 0 {
		c.lease = c.drainLimit
	}
	c.limit = max(0, r.Int("cooldown.repeat.limit", 0))
	c.limit = min(c.limit, maxRounds)
	c.within = span(r, "cooldown.repeat.within", 0)
	c.manual, c.restarts = true, true
	if v, ok := r.Value("cooldown.manual.allowed"); ok {
		c.manual = v.Bool()
	}
	if v, ok := r.Value("cooldown.manual.restarts"); ok {
		c.restarts = v.Bool()
	}
	if c.requires, _ = r.List("cooldown.manual.requires"); c.requires == nil {
		c.requires = []string{"initiator", "saw"}
	}
}

// longest bounds all times, so that sums of them stay far from overflow: half a century.
const longest = cooldown.Forever / 4

func bounded(d time.Duration) time.Duration { return max(0, min(d, longest)) }

// span reads a length of time.
func span(r *setting.Reader, p schema.Path, def time.Duration) time.Duration {
	return bounded(r.Duration(p, def))
}
