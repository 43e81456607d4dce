package rules

import "github.com/poolproof/poolproof/schema"

func breakerAllOutBlocks() Rule {
	return Rule{
		ID: "breaker/all-out-blocks", Severity: schema.Info,
		Title: schema.Text{En: "a pool whose members are all out turns requests away", Zh: "成员全部摘除时该池拒绝请求"},
		Copy: func(c *Copy, r *Reporter) {
			if !c.runs() || !c.canLoseAll() {
				return
			}
			path, how := c.blocks()
			if how.En == "" {
				return
			}
			h := Hit{Copy: c.Copy, At: c.Copy.PoolAt, Item: schema.OnAllOut, Field: "then", Got: "reject"}
			written := false
			if path != "" {
				h.At, written = c.Place(path), true
			}
			declared, by := c.passDeclared()
			if !declared {
				if !written {
					return
				}
				h.Text = schema.Textf("when all members are out, requests are turned away (%s)", "成员全部摘除时请求会被拒绝（%s）", how)
				h.Hint = schema.Textf("statistics that condemn every member are wrong more often than right; if requests should be tried all the same, let all pass",
					"判定所有成员都有故障的统计多半是错的；若仍应尝试请求，请改为全部放行")
				r.Hit(h)
				return
			}
			h.Severity, h.Want = schema.Error, "pass"
			h.Text = schema.Textf("the pool declares onAllOut: pass, and here requests are turned away when all members are out (%s)", "该池声明 onAllOut: pass，而此处在成员全部摘除时会拒绝请求（%s）", how)
			h.Hint = schema.Textf("let this copy pass requests as well, add a backup that is always in, or declare reject", "请让此副本同样放行，或增加始终可用的备用成员，或声明 reject")
			if by != nil {
				h.Related = []Relative{{Copy: by.Copy, At: by.Place("onAllOut.then"), Value: "pass", Label: schema.Textf("pass is declared here", "此处声明 pass")}}
			}
			r.Hit(h)
		},
	}
}

// passDeclared reports whether the pool is to let requests through when all members are out: by the manifest, or by a copy.
func (c *Copy) passDeclared() (bool, *Copy) {
	if a := c.In.Entry.OnAllOut; a != nil {
		return a.Then == "pass", nil
	}
	for _, other := range c.In.Copies {
		if f, ok := other.Copy.Get("onAllOut.then"); ok && other != c && f.Value.Text() == "pass" {
			return true, other
		}
	}
	return false, nil
}

// blocks says how the copy's engine turns requests away when no member is left, and by which written setting; how is
// empty where it lets them pass or is not known.
func (c *Copy) blocks() (path schema.Path, how schema.Text) {
	if f, ok := c.Copy.Get("onAllOut.then"); ok {
		if f.Value.Text() == "reject" {
			return "onAllOut.then", schema.Textf("onAllOut says reject", "onAllOut 为 reject")
		}
		return "", schema.Text{}
	}
	name, traits := c.engine()
	switch name {
	case "envoy":
		const failing = "common_lb_config.zone_aware_lb_config.fail_traffic_on_panic"
		if c.yes(failing) {
			return failing, schema.Textf("fail_traffic_on_panic: Envoy answers 503", "fail_traffic_on_panic：Envoy 返回 503")
		}
		if f, ok := c.Copy.Get("onAllOut.panicBelow"); ok && f.Value.Number() < 1 {
			return "onAllOut.panicBelow", schema.Textf("healthy_panic_threshold 0: Envoy answers 503", "healthy_panic_threshold 为 0：Envoy 返回 503")
		}
		return "", schema.Text{}
	case "three-state", "adaptive":
		if _, ok := c.Copy.Get("onAllOut.panicBelow"); ok {
			return "", schema.Text{}
		}
		return "", schema.Textf("%s answers 503 where onAllOut is not written", "未写 onAllOut 时 %s 返回 503", name)
	}
	if traits.AllOut == "reject" {
		return "", schema.Textf("%s knows no other way", "%s 没有其他方式", name)
	}
	return "", schema.Text{}
}

// canLoseAll reports whether every member of the copy can be out at once.
func (c *Copy) canLoseAll() bool {
	name, _ := c.engine()
	switch name {
	case "nginx", "nginx-plus", "tengine":
		// Failures take servers out unless they are not counted; a pool of one address is never taken out.
		_, uncounted := c.Copy.Get("max_fails")
		return len(c.Copy.Members) > 1 && !uncounted || c.probed()
	case "envoy":
		if c.probed() {
			return true
		}
		e, ok := c.EffectiveOf("outlier_detection.max_ejected")
		return ok && !e.Unsure && e.Value.Int() >= int64(c.size())
	}
	return c.probed() || c.Copy.States(schema.Decision) || c.Copy.States(schema.Cooldown) || c.Copy.States(schema.OnAllOut)
}
