package rules

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// engine returns the name of the engine that runs the copy: what a native file names, else its profile; and what is
// known about it.
func (c *Copy) engine() (string, profile.Traits) {
	p, ok := c.Profile, c.Profile.Name != ""
	if c.Copy.Engine != "" {
		if p, ok = profile.Lookup(c.Copy.Engine); !ok {
			return c.Copy.Engine, profile.Traits{}
		}
	}
	return p.Name, p.Traits
}

// runs reports whether something executes the copy: documents and orders only describe.
func (c *Copy) runs() bool { return c.Copy.Side == schema.App || c.Copy.Side == schema.Gateway }

// yes reports whether a flag is written as true.
func (c *Copy) yes(p schema.Path) bool {
	f, ok := c.Copy.Get(p)
	return ok && f.Value.Bool()
}

// probed reports whether the copy's engine probes its members.
func (c *Copy) probed() bool {
	_, off := c.Copy.Get("probe.off")
	return c.Copy.States(schema.Probe) && !off
}

// size returns how many members the copy lists, 0 where the list may have others.
func (c *Copy) size() int {
	if !c.Copy.Complete || c.Copy.UnresolvedMembers() > 0 {
		return 0
	}
	return len(c.Copy.Members)
}

// active returns the active members of the copy.
func (c *Copy) active() []*schema.Member {
	var list []*schema.Member
	for i := range c.Copy.Members {
		if m := &c.Copy.Members[i]; m.IsActive() {
			list = append(list, m)
		}
	}
	return list
}

// oneTier reports whether the active members stand in one tier, so that a share of them is a share of the traffic.
func (c *Copy) oneTier() bool {
	list := c.active()
	for _, m := range list {
		if m.Backup == schema.Yes || m.Priority != list[0].Priority {
			return false
		}
	}
	return true
}

// outlier reports whether Envoy's outlier detection is written, and where.
func (c *Copy) outlier() (schema.Span, bool) {
	for _, p := range []schema.Path{"outlier_detection.max_ejection_percent", "outlier_detection.always_eject_one_host", "outlier_detection"} {
		if f, ok := c.Copy.Get(p); ok {
			return f.At, true
		}
	}
	for i := range c.Copy.Fields {
		f := &c.Copy.Fields[i]
		if item := f.Path.Item(); strings.HasPrefix(string(f.Path), "outlier_detection") || item == schema.Decision || item == schema.Cooldown {
			return f.At, true
		}
	}
	return schema.Span{}, false
}
