package spring

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

const resilience4j = "resilience4j"

// breakers reads the circuit breakers: one pool an instance, named by it. An instance that writes nothing of decision
// and cooldown, itself or through its configs, is none.
func (r *reader) breakers() {
	b := r.moduleBlock(breakerModule)
	for _, c := range b.configs.entries() {
		r.unknownKeys(b.module, c)
	}
	for _, instance := range b.instances.entries() {
		r.unknownKeys(b.module, instance)
		c := r.newCopy(instance.name, instance.at)
		line := r.lineage(b, instance, r.once(c))
		r.breaker(c, line)
		narrow(c, line, schema.Decision, schema.Cooldown)
		if stated(c) {
			r.add(c)
		}
	}
}

// stated reports whether a copy says anything about its pool, be it only that it cannot be read.
func stated(c *schema.Copy) bool {
	return c.States(schema.Decision) || c.States(schema.Cooldown) || c.States(schema.Members) || c.States(schema.Probe) ||
		len(c.Problems) > 0 || len(c.Unresolved) > 0
}

// narrow sets the place of items to what the nearest block writes of them; with inherited values it would stretch over
// the blocks of others.
func narrow(c *schema.Copy, line lineage, items ...schema.Item) {
	for _, item := range items {
		for _, block := range line {
			at := schema.Span{}
			for _, f := range c.Fields {
				if f.Path.Item() == item && within(f.At, block.valueAt) {
					at = schema.Join(at, f.At)
				}
			}
			if at.Known() {
				c.ItemAt[item] = at
				break
			}
		}
	}
}

func within(a, b schema.Span) bool {
	return a.File == b.File && a.Start >= b.Start && a.End <= b.End
}

// breaker reads the settings of one circuit breaker.
func (r *reader) breaker(c *schema.Copy, line lineage) {
	b := r.binder(c)
	timed := r.window(b, line)
	for _, k := range breakerModule.keys {
		v, level := line.find(k.short)
		if v == nil || k.name == "slidingWindowType" || k.name == "baseConfig" {
			continue
		}
		switch k.name {
		case "failureRateThreshold":
			if f, ok := b.number("decision.errorRatio", v, resilience4j, k.name, k.lo, k.hi); ok {
				c.Set("decision.errorRatio", schema.NumberOf(f/100), v.valueAt)
			}
		case "slowCallDurationThreshold":
			r.setDuration(b, "decision.slow.threshold", v, k)
		case "minimumNumberOfCalls":
			r.setInteger(b, "decision.minSamples", v, k)
		case "slidingWindowSize":
			if !timed {
				r.setting(b, "", v, k)
			} else if n, ok := b.integer("decision.window", v, resilience4j, k.name, int64(k.lo), int64(k.hi)); ok {
				c.Set("decision.window", schema.DurationOf(time.Duration(n)*time.Second), v.valueAt)
			}
		case "waitDurationInOpenState":
			r.setDuration(b, "cooldown.duration", v, k)
			r.growth(b, line, level)
		case "enableExponentialBackoff", "enableRandomizedWait":
			if level != r.waitLevel(line) {
				r.idle(b, line, v, k, level)
			}
		case "exponentialBackoffMultiplier", "exponentialMaxWaitDurationInOpenState", "randomizedWaitFactor":
			if level != r.waitLevel(line) {
				r.setting(b, "", v, k)
			}
		default:
			r.setting(b, "", v, k)
		}
	}
}

// window reads the type of the sliding window, which decides whether its size counts calls or seconds.
func (r *reader) window(b *binder, line lineage) (timed bool) {
	v, _ := line.find("slidingWindowType")
	if v == nil {
		return false
	}
	text, ok := b.text("slidingWindowType", v)
	if !ok {
		return false
	}
	kind := strings.ToUpper(strings.ReplaceAll(text, "-", "_"))
	if kind != "TIME_BASED" && kind != "COUNT_BASED" {
		s, _ := v.scalar()
		b.refuse("slidingWindowType", s, resilience4j, "slidingWindowType", "it is neither COUNT_BASED nor TIME_BASED", "既非 COUNT_BASED 也非 TIME_BASED")
		return false
	}
	b.Copy.Set("slidingWindowType", schema.TextOf(kind), v.valueAt)
	return kind == "TIME_BASED"
}

func (r *reader) setDuration(b *binder, p schema.Path, v *prop, k key) {
	if d, ok := b.duration(p, v, resilience4j, k.name, time.Duration(k.lo)); ok {
		b.Copy.Set(p, schema.DurationOf(d), v.valueAt)
	}
}

func (r *reader) setInteger(b *binder, p schema.Path, v *prop, k key) {
	if n, ok := b.integer(p, v, resilience4j, k.name, int64(k.lo), int64(k.hi)); ok {
		b.Copy.Set(p, schema.IntOf(n), v.valueAt)
	}
}

// setting records a key under its own name, with the module's name before it where it is not the breaker's.
func (r *reader) setting(b *binder, prefix string, v *prop, k key) {
	p := schema.Path(prefix + k.name)
	switch k.kind {
	case durationKey:
		r.setDuration(b, p, v, k)
	case integerKey:
		r.setInteger(b, p, v, k)
	case numberKey:
		if f, ok := b.number(p, v, resilience4j, k.name, k.lo, k.hi); ok {
			b.Copy.Set(p, schema.NumberOf(f), v.valueAt)
		}
	case booleanKey:
		if on, ok := b.boolean(p, v, resilience4j, k.name); ok {
			b.Copy.Set(p, schema.BoolOf(on), v.valueAt)
		}
	case listKey:
		if items := texts(v); len(items) > 0 {
			b.Copy.Set(p, schema.ListOf(items...), v.valueAt)
		}
	default:
		if t, ok := b.text(p, v); ok {
			b.Copy.Set(p, schema.TextOf(t), v.valueAt)
		}
	}
}
