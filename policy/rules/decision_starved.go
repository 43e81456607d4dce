package rules

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

func decisionStarved() Rule {
	return Rule{
		ID: "decision/starved", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the smallest unit that is judged does not see enough traffic in the window", Zh: "最小判断单元在窗口内样本不足"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			window, ok := c.Duration("decision.window")
			floor, ok2 := c.Int("decision.minSamples")
			rps := c.In.RPS()
			if !ok || !ok2 || rps <= 0 {
				return
			}
			share, unit := c.smallest()
			samples := rps * share * window.Seconds()
			if samples >= float64(floor) {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.minSamples"), Path: "decision.minSamples", Got: fmt.Sprint(floor), Want: fmt.Sprintf("<= %.0f", samples),
				Text: schema.Textf("%g requests a second x %.3g%% (%s) x %s give %.3g samples, fewer than the floor of %d: this unit is never judged",
					"每秒 %g 个请求 x %.3g%%（%s）x %s 只有 %.3g 个样本，低于下限 %d：该单元永远无法判断", rps, share*100, unit, schema.FormatDuration(window), samples, floor),
				Hint: schema.Textf("lengthen the window, lower minSamples, or judge by a coarser granularity", "加长窗口、降低 minSamples，或采用更粗的粒度")})
		}),
	}
}

// smallest returns the part of the traffic (0 to 1) that the smallest unit of the decision's granularity sees, and what
// that unit is. What is not known about the traffic counts as 1, so that only certain starvation is reported.
func (c *Copy) smallest() (float64, string) {
	granularity, _ := c.Text("decision.granularity")
	scope, _ := c.Text("decision.scope")
	share := 1.0
	unit := "the pool"
	if granularity == "address" || granularity == "interface" || granularity == "business" && scope == "line-on-address" {
		if s, id := c.smallestMember(); id != "" {
			share, unit = s, id
		}
	}
	t := c.In.Entry.Traffic
	if t == nil {
		return share, unit
	}
	parts := t.Interfaces
	if granularity == "region" {
		parts = t.Regions
	}
	if granularity != "interface" && granularity != "region" {
		return share, unit
	}
	least := -1.0
	for _, p := range parts {
		if p.Share > 0 && (least < 0 || p.Share < least) {
			least, unit = p.Share, p.Name
		}
	}
	if least >= 0 {
		share *= least / 100
	}
	return share, unit
}

// smallestMember returns the member of the first tier that gets the least traffic, and its part of it.
func (c *Copy) smallestMember() (float64, string) {
	members := c.Copy.Members
	if t := c.In.Truth(schema.Members); t != nil {
		members = t.Copy.Members
	}
	best := int64(0)
	first := true
	for i := range members {
		if m := &members[i]; m.IsActive() && m.Backup != schema.Yes && (first || m.Priority < best) {
			best, first = m.Priority, false
		}
	}
	total, least, id := int64(0), int64(-1), ""
	for i := range members {
		m := &members[i]
		if !m.IsActive() || m.Backup == schema.Yes || m.Priority != best {
			continue
		}
		w := int64(1)
		if m.HasWeight {
			w = m.Weight
		}
		total += w
		if w > 0 && (least < 0 || w < least) {
			least, id = w, m.ID()
		}
	}
	if total <= 0 || least < 0 {
		return 1, ""
	}
	return float64(least) / float64(total), id
}
