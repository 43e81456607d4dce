package controller

import (
	"slices"
	"strconv"
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
	per := r.Duration("retry.perTry", 0)
	if per <= 0 {
		per = r.Duration("retry.total", 0)
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
	c.window = max(0, r.Duration("decision.window", 0))
	c.minSamples = max(1, r.Int("decision.minSamples", 1))
	c.ratio = 2
	if v, ok := r.Value("decision.errorRatio"); ok {
		c.ratio = v.Number()
	}
	c.consecutive = max(0, r.Int("decision.consecutive", 0))
	if over := r.Duration("decision.slow.threshold", 0); over > 0 {
		c.slowOver, c.slowTimes = over, max(1, r.Int("decision.slow.confirmations", 1))
		c.slowDedupe = max(0, r.Duration("decision.slow.dedupe", 0))
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
		if c.cool.Duration = v.Duration(); c.cool.Duration <= 0 {
			c.cool.Duration = cooldown.None
		}
	} else {
		r.Assume(schema.Textf("no cooldown.duration is written: %s", "未写 cooldown.duration：按 %s 处理", schema.FormatDuration(cooldown.Default)))
	}
	first := c.cool.Length(1)
	if longest := r.Duration("cooldown.max", 0); longest > 0 {
		c.cool.Max = max(longest, first)
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
	if c.lease = r.Duration("cooldown.probeLease", 0); c.lease <= 0 {
		c.lease = c.drainLimit
	}
	c.limit = max(0, r.Int("cooldown.repeat.limit", 0))
	c.limit = min(c.limit, maxRounds)
	c.within = r.Duration("cooldown.repeat.within", 0)
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

// readRetry: what is not written is not done.
func (e *Engine) readRetry(r *setting.Reader) {
	c := &e.cfg
	c.attempts = min(max(0, r.Int("retry.attempts", 0)), 1<<15)
	c.repeatable = r.Flag("retry.nonIdempotent")
	c.total = max(0, r.Duration("retry.total", 0))
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
	if c.interval = r.Duration("probe.interval", defaultInterval); c.interval <= 0 {
		c.probing = false
	}
	c.fast = positive(r.Duration("probe.intervals.fast", 0), c.interval)
	c.down = positive(r.Duration("probe.intervals.down", 0), c.interval)
	c.till = positive(r.Duration("probe.timeout", 0), c.interval)
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
	c.alertAfter = max(0, r.Duration("onAllOut.alertAfter", 0))
}

// readRamp reads the batches; the domains and priorities are known by now.
func (e *Engine) readRamp(r *setting.Reader, o *failover.Options) {
	c := &e.cfg
	c.rampKinds = 1
	var names []string
	switch r.Text("ramp.by", "ratio") {
	case "region":
		if _, seen := r.Value("decision.regionFrom"); seen && len(o.Regions) > 1 {
			c.divideRamp, names = byRegion, o.Regions
		}
	case "priority":
		c.divideRamp, names = byTenant, o.Tenants
		if !e.mentions(r, o.Tenants) && e.mentions(r, o.Interfaces) {
			c.divideRamp, names = byInterface, o.Interfaces
		}
	}
	if len(names) > 1 {
		c.rampKinds = len(names)
	} else {
		c.divideRamp = byNothing
	}
	for i := range r.Copy.Batches {
		e.readBatch(r, i, names)
	}
	if window := r.Duration("ramp.window", 0); window > 0 && len(c.batches) == 0 {
		const steps = 10
		for i := 1; i <= steps; i++ {
			c.batches = append(c.batches, batch{share: float64(i) / steps, dwell: window / steps})
		}
	}
	for i := range r.Copy.Stops {
		e.readStop(&r.Copy.Stops[i])
	}
	c.lowConnect = r.Text("ramp.lowSample", "wait") == "connect"
	c.toZero = r.Text("ramp.rollback.to", "previous") == "zero"
	c.rest = max(0, r.Duration("ramp.rollback.cooldown", 0))
	c.suspend = max(0, r.Int("ramp.suspendAfter", 0))
	for _, p := range []schema.Path{"ramp.target.members", "ramp.target.interfaces", "ramp.target.regions"} {
		if _, ok := r.Value(p); ok {
			r.Assume(schema.Textf("%s is not played: what was removed returns", "%s 未模拟：按“摘除什么恢复什么”处理", string(p)))
		}
	}
}

// mentions reports whether a batch names one of these as a priority.
func (e *Engine) mentions(r *setting.Reader, names []string) bool {
	for i := range r.Copy.Batches {
		for _, p := range r.Copy.Batches[i].Priorities {
			if slices.Contains(names, p) {
				return true
			}
		}
	}
	return false
}

// readBatch reads one batch. Regions and priorities add to those of the batches before.
func (e *Engine) readBatch(r *setting.Reader, i int, names []string) {
	c, w := &e.cfg, &r.Copy.Batches[i]
	b := batch{share: float64(i+1) / float64(len(r.Copy.Batches)), dwell: c.window, manual: w.Manual, floor: c.minSamples}
	if w.HasDwell {
		b.dwell = max(0, w.Dwell)
	}
	if w.MinSamples > 0 {
		b.floor = setting.Clamp(w.MinSamples)
	}
	wanted := append(slices.Clone(w.Regions), w.Priorities...)
	switch part, tiers, found := e.parts(wanted, names); {
	case w.HasShare:
		b.share = max(0, min(w.Share/100, 1))
	case found:
		b.share, b.part, b.tiers = 1, part, tiers
		if n := len(c.batches); n > 0 {
			merge(b.part, c.batches[n-1].part)
			merge(b.tiers, c.batches[n-1].tiers)
		}
	case len(wanted) > 0:
		r.Assume(schema.Textf("ramp.batches[%d]: no traffic is known by these names; played as a share of %.0f %%", "ramp.batches[%d]：没有这些名称的流量；按占比 %.0f%% 处理", i, 100*b.share))
	}
	c.batches = append(c.batches, b)
}

// parts finds the kinds of requests, or the priorities of members, of these names.
func (e *Engine) parts(wanted, names []string) (part, tiers []bool, found bool) {
	for _, name := range wanted {
		if k := slices.Index(names, name); k >= 0 && len(names) > 1 {
			if part == nil {
				part = make([]bool, len(names))
			}
			part[k], found = true, true
			continue
		}
		n, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			continue
		}
		if k := slices.IndexFunc(e.tiers, func(t tier) bool { return !t.backup && t.priority == n }); k >= 0 {
			if tiers == nil {
				tiers = make([]bool, len(e.tiers))
			}
			tiers[k], found = true, true
		}
	}
	return part, tiers, found
}

func merge(into, from []bool) {
	for i := range into {
		into[i] = into[i] || i < len(from) && from[i]
	}
}

func (e *Engine) readStop(w *schema.Stop) {
	i := slices.Index(metricNames[:], w.Metric)
	if i < 0 || !w.HasAbove && !w.HasBelow {
		return
	}
	s := stop{metric: metric(i), above: w.Above, below: w.Below, hasAbove: w.HasAbove, hasBelow: w.HasBelow, baseline: w.Against == "baseline"}
	e.cfg.stops = append(e.cfg.stops, s)
	e.cfg.timing = e.cfg.timing || s.metric >= latencyP95 && s.metric <= latencyMean
	e.cfg.relative = e.cfg.relative || s.baseline
}
