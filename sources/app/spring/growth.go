package spring

import (
	"github.com/poolproof/poolproof/schema"
)

// waitLevel is the block that decides how long the breaker stays open: the nearest one that writes
// waitDurationInOpenState.
func (r *reader) waitLevel(line lineage) int {
	_, level := line.find("waitDurationInOpenState")
	return level
}

// growth reads how the wait grows or spreads. resilience4j builds the wait of a block from that block alone
// (configureCircuitBreakerOpenStateIntervalFunction): what other blocks write about it has no effect.
func (r *reader) growth(b *binder, line lineage, level int) {
	block, c := line[level], b.Copy
	exponential, atExponential := r.enabled(b, block, "enableExponentialBackoff")
	random, atRandom := r.enabled(b, block, "enableRandomizedWait")
	if exponential && random {
		c.Report(schema.Problem{
			Rule: "schema/invalid", At: atRandom, Item: schema.Cooldown, Field: "growth",
			Text:    schema.Textf("resilience4j refuses enableExponentialBackoff and enableRandomizedWait together", "resilience4j 拒绝同时启用 enableExponentialBackoff 和 enableRandomizedWait"),
			Hint:    schema.Textf("keep one of them", "请只保留一个"),
			Related: []schema.Note{{At: atExponential, Label: schema.Textf("the other one", "另一个")}},
		})
		return
	}
	multiplier := block.child("exponentialBackoffMultiplier")
	if exponential {
		c.Set("cooldown.growth.kind", schema.TextOf("exponential"), atExponential)
		k, _ := breakerModule.key("exponentialBackoffMultiplier")
		if f, ok := b.number("cooldown.growth.factor", multiplier, resilience4j, k.name, k.lo, k.hi); ok {
			c.Set("cooldown.growth.factor", schema.NumberOf(f), multiplier.valueAt)
		}
		r.longest(b, block, multiplier)
	} else {
		r.keep(b, block, "exponentialBackoffMultiplier", "exponentialMaxWaitDurationInOpenState")
	}
	if !random {
		r.keep(b, block, "randomizedWaitFactor")
		return
	}
	factor := block.child("randomizedWaitFactor")
	if f, ok := b.number("cooldown.jitter", factor, resilience4j, "randomizedWaitFactor", 0, belowOne); ok {
		c.Set("cooldown.jitter", schema.NumberOf(f), factor.valueAt)
	}
}

// enabled reads a flag of the block, and records it as a setting.
func (r *reader) enabled(b *binder, block *prop, name string) (on bool, at schema.Span) {
	v := block.child(name)
	on, ok := b.boolean(schema.Path(name), v, resilience4j, name)
	if !ok {
		return false, schema.Span{}
	}
	b.Copy.Set(schema.Path(name), schema.BoolOf(on), v.valueAt)
	return on, v.valueAt
}

// longest reads the longest wait, which counts only beside a multiplier.
func (r *reader) longest(b *binder, block, multiplier *prop) {
	k, _ := breakerModule.key("exponentialMaxWaitDurationInOpenState")
	v := block.child(k.name)
	if v == nil || v.node == nil {
		return
	}
	if multiplier == nil || multiplier.node == nil {
		r.setting(b, "", v, k)
		b.Copy.Report(clamped(v, schema.Textf("%s has no effect: resilience4j reads it only beside exponentialBackoffMultiplier, which this block does not write", "%s 不起作用：resilience4j 只在写有 exponentialBackoffMultiplier 时才读取它，而此处没有写", v.name)))
		return
	}
	r.setDuration(b, "cooldown.max", v, k)
}

// keep records keys of the block as settings.
func (r *reader) keep(b *binder, block *prop, names ...string) {
	for _, name := range names {
		if v := block.child(name); v != nil && v.node != nil {
			k, _ := breakerModule.key(name)
			r.setting(b, "", v, k)
		}
	}
}

// idle reads a flag that stands in another block than the wait, where it has no effect.
func (r *reader) idle(b *binder, line lineage, v *prop, k key, level int) {
	r.setting(b, "", v, k)
	if on, _ := b.Copy.Get(schema.Path(k.name)); !on.Value.Bool() {
		return
	}
	counts := r.waitLevel(line)
	if counts < 0 {
		b.Copy.Report(clamped(v, schema.Textf("%s has no effect: resilience4j reads it only in a block that writes waitDurationInOpenState, and none does", "%s 不起作用：resilience4j 只在写有 waitDurationInOpenState 的块中读取它，而没有哪个块写了", k.name)))
		return
	}
	wait := line[counts].child("waitDurationInOpenState")
	p := clamped(v, schema.Textf("%s has no effect: the wait comes from another block, and resilience4j reads this key only beside it", "%s 不起作用：等待时间来自另一个块，resilience4j 只在同一块中读取此键", k.name))
	p.Related = []schema.Note{{At: wait.valueAt, Label: schema.Textf("the wait that counts", "起作用的等待时间")}}
	if level > counts { // an inherited growth that the own wait replaces: easily meant so
		p = clamped(wait, schema.Textf("%s of the config is lost: this block writes its own wait, and resilience4j takes the growth from the same block", "配置中的 %s 失效：此块写了自己的等待时间，而 resilience4j 从同一块中读取增长方式", k.name))
		p.Related = []schema.Note{{At: v.valueAt, Label: schema.Textf("not in force here", "在此不生效")}}
		p.Severity = schema.Info
	}
	b.Copy.Report(p)
}

func clamped(v *prop, text schema.Text) schema.Problem {
	return schema.Problem{
		Rule: "schema/clamped", At: v.valueAt, Item: schema.Cooldown, Field: v.name, Text: text,
		Hint: schema.Textf("write waitDurationInOpenState, the flag that enables it and its values in one block", "请把 waitDurationInOpenState、启用开关及其取值写在同一个块中"),
	}
}
