package controller

import (
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

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
	if window := span(r, "ramp.window", 0); window > 0 && len(c.batches) == 0 {
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
	c.rest = max(0, span(r, "ramp.rollback.cooldown", 0))
	c.suspend = max(0, r.Int("ramp.suspendAfter", 0))
	e.readTarget(r)
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
		b.dwell = bounded(w.Dwell)
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
