package controller

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// target is what ramp.target lets return by itself; nil lists are all.
type target struct {
	members []bool // by number
	kinds   []bool // interfaces or regions, as health domains tell them apart
}

// readTarget reads what returns. Members, and interfaces or regions where the decision tells these apart.
func (e *Engine) readTarget(r *setting.Reader) {
	c := &e.cfg
	c.target.members = e.named(r, "ramp.target.members", e.info.Members)
	for _, x := range []struct {
		path schema.Path
		by   dimension
	}{{"ramp.target.interfaces", byInterface}, {"ramp.target.regions", byRegion}} {
		if _, written := r.Value(x.path); !written {
			continue
		}
		if c.divide != x.by {
			r.Assume(schema.Textf("%s is written, and the decision does not tell them apart: what was removed returns as a whole", "写了 %s，而判断不区分它们：摘除的对象整体恢复", string(x.path)))
			continue
		}
		c.target.kinds = e.named(r, x.path, e.kinds)
	}
}

// named marks those of a list that a setting names, nil where it is not written. Names that are not there are said.
func (e *Engine) named(r *setting.Reader, p schema.Path, all []string) []bool {
	list, written := r.List(p)
	if !written {
		return nil
	}
	marks := make([]bool, len(all))
	for _, name := range list {
		i := slices.Index(all, name)
		if i < 0 {
			r.Assume(schema.Textf("%s: there is no %q", "%s：没有 %q", string(p), name))
			continue
		}
		marks[i] = true
	}
	return marks
}

// returns reports whether a health domain returns by itself: the ramp is for it, or a person has put it back. A line on
// several members returns if the ramp is for one of them.
func (e *Engine) returns(u *unit) bool {
	t := &e.cfg.target
	if u.asked || t.members == nil && t.kinds == nil {
		return true
	}
	if t.kinds != nil && !t.kinds[u.kind] {
		return false
	}
	some := t.members == nil
	e.membersOf(u, func(i int) { some = some || t.members != nil && t.members[i] })
	return some
}

// leaveOut hands a domain that the ramp is not for over to a person.
func (e *Engine) leaveOut(now time.Duration, u *unit) {
	e.endTrial(u)
	u.phase = handed
	e.show(now, u, schema.Textf("the cooldown is over, and the ramp is not for it (ramp.target): it stays out until a person puts it back", "冷却结束，而放量不包括它（ramp.target）：保持摘除，直到人工放回"))
}
