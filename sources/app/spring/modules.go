package spring

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// modules adds what the other modules of resilience4j say about the pools that were found: retries and, as settings,
// time limits, rate limits and bulkheads of the same name. An instance of these modules alone is no pool.
func (r *reader) modules() {
	for _, m := range append([]module{retryModule}, otherModules...) {
		b := r.moduleBlock(m)
		for _, c := range b.configs.entries() {
			r.unknownKeys(m, c)
		}
		for _, instance := range b.instances.entries() {
			r.unknownKeys(m, instance)
		}
		for _, c := range r.copies {
			if c.Owned {
				continue
			}
			if instance := b.instances.child(c.Pool); instance != nil {
				r.module(c, b, instance)
			}
		}
	}
}

func (r *reader) module(c *schema.Copy, b block, instance *prop) {
	bind := r.binder(c)
	line := r.lineage(b, instance, r.once(c))
	for _, k := range b.keys {
		v, _ := line.find(k.short)
		if v == nil || k.name == "baseConfig" {
			continue
		}
		r.setting(bind, b.name+".", v, k)
		switch f, ok := c.Get(schema.Path(b.name + "." + k.name)); {
		case !ok:
			// not written, or not readable
		case b.name == retryModule.name && k.name == "maxAttempts": // the first call is one of them
			c.Set("retry.attempts", schema.IntOf(f.Value.Int()-1), f.At)
		case b.name == "timelimiter" && k.name == "timeoutDuration" && c.States(schema.Retry) && !r.reordered():
			at := c.ItemAt[schema.Retry]
			c.Set("retry.perTry", f.Value, f.At)
			c.ItemAt[schema.Retry] = at // the time limit stands elsewhere
		}
	}
}

// reordered reports whether the application changes the order of the modules' aspects. As they come, a retry is
// outside the time limit, which then bounds each try.
func (r *reader) reordered() bool {
	for _, m := range r.root.child(resilience4j).entries() {
		for _, k := range m.kids {
			if strings.HasSuffix(relaxed(k.name), "aspectorder") {
				return true
			}
		}
	}
	return false
}
