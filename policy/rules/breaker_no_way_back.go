package rules

import "github.com/poolproof/poolproof/schema"

func breakerNoWayBack() Rule {
	return Rule{
		ID: "breaker/no-way-back", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a removed member has no probe, timer or person to bring it back", Zh: "摘除的成员没有探测、定时器或人工使其恢复"},
		Copy: func(c *Copy, r *Reporter) {
			if !c.runs() {
				return
			}
			name, _ := c.engine()
			switch {
			case name == "envoy":
				c.neverHealthy(r)
			case c.Native() && c.In.stated(schema.Decision):
				c.exitWithoutProbe(r)
				c.nobodyMay(r)
			}
		},
	}
}

// exitWithoutProbe: probes are to end the cooldown, and nobody probes.
func (c *Copy) exitWithoutProbe(r *Reporter) {
	exit, written := c.Copy.Get("cooldown.exit")
	if !written || exit.Value.Text() != "probe" || !c.Counts(schema.Cooldown) || c.yes("cooldown.manual.allowed") || c.anyProbe() {
		return
	}
	r.Hit(Hit{Copy: c.Copy, At: exit.At, Path: "cooldown.exit", Got: "probe", Want: "a probe",
		Text: schema.Textf("exit: probe, and no copy of the pool states a probe: what was removed stays out", "exit: probe，而该池没有任何副本写明探测：被摘除的成员不会恢复"),
		Hint: schema.Textf("write a probe, another exit, or manual: {allowed: true, ...}", "请补上 probe、改用其他 exit，或写 manual: {allowed: true, ...}")})
}

func (c *Copy) anyProbe() bool {
	for _, other := range c.In.Copies {
		if other.Copy.States(schema.Probe) {
			return true
		}
	}
	return false
}

// nobodyMay: something hands the member over to a person, and no person may put it back.
func (c *Copy) nobodyMay(r *Reporter) {
	allowed, ok := c.find("cooldown.manual.allowed")
	if !ok || allowed.Bool() {
		return
	}
	report := func(p schema.Path, at schema.Span, got string, when schema.Text) {
		r.Hit(Hit{Copy: c.Copy, At: at, Path: p, Got: got, Want: "cooldown.manual.allowed: true",
			Text: schema.Textf("%s, and manual.allowed is false: nothing brings the member back", "%s，而 manual.allowed 为 false：成员无法恢复", when),
			Hint: schema.Textf("allow the manual return, with its record: manual: {allowed: true, requires: [initiator, saw, reclaim, review]}", "请允许带记录的人工恢复：manual: {allowed: true, requires: [initiator, saw, reclaim, review]}")})
	}
	if f, ok := c.Copy.Get("cooldown.repeat.limit"); ok {
		report("cooldown.repeat.limit", f.At, f.Value.String(), schema.Textf("after so many cooldowns a person has to put the member back", "冷却达到该次数后须由人工恢复"))
	}
	if f, ok := c.Copy.Get("ramp.suspendAfter"); ok {
		report("ramp.suspendAfter", f.At, f.Value.String(), schema.Textf("after so many failed batches a person has to put the member back", "批次失败达到该次数后须由人工恢复"))
	}
	for i := range c.Copy.Batches {
		if b := &c.Copy.Batches[i]; b.Manual {
			report("ramp.batches", b.At, "manual", schema.Textf("this batch waits for a person", "该批次等待人工放行"))
			return
		}
	}
}

// neverHealthy: Envoy counts first and compares for equality, so a threshold of 0 is never met.
func (c *Copy) neverHealthy(r *Reporter) {
	f, ok := c.Copy.Get("health_checks[0].healthy_threshold")
	if !ok || f.Value.Int() != 0 || !c.probed() {
		return
	}
	r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "probe.rise", Got: "0", Want: ">= 1",
		Text: schema.Textf("healthy_threshold 0 is never met (Envoy counts first and compares for equality): what fails a check after its first pass stays out", "healthy_threshold 为 0 永远不会满足（Envoy 先计数再判断相等）：首次通过之后再失败的成员不会恢复"),
		Hint: schema.Textf("write 1 or more", "请写 1 以上")})
}
