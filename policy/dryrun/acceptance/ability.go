package acceptance

import (
	"github.com/poolproof/poolproof/schema"
)

// program reports whether the engine is that of a real gateway, whose semantics are fixed.
func (b *bench) program() bool {
	switch b.engine {
	case "haproxy", "nginx", "envoy", "apisix":
		return true
	}
	return false
}

// controller reports whether the engine is the controller under four constraints, which can do all that the cases ask.
func (b *bench) controller() bool { return b.engine == "pool" }

// unable says why a case is not judged: the engine cannot express it, or nothing states it.
func (b *bench) unable(id string) (why schema.Text, unable bool) {
	states := func(i schema.Item) bool { return b.copy.States(i) }
	switch area(id) {
	case "decision":
		switch {
		case id == "decision/probes-fail-business-ok" && b.program() && b.copy.States(schema.Probe):
			return schema.Textf("%s takes members out on its checks alone, by design", "%s 的设计即仅凭健康检查摘除成员", b.engine), true
		case id == "decision/probes-fail-business-ok" && !b.controller():
			return schema.Textf("%s sends no probes here", "%s 在此不发送探测", b.engine), true
		case !states(schema.Decision) && b.program():
			return schema.Textf("nothing here makes %s judge by business results", "此处没有设置让 %s 按业务结果判定", b.engine), true
		case !states(schema.Decision):
			return schema.Textf("the pool states no decision", "池没有写 decision"), true
		}
	case "granularity":
		if !b.controller() {
			return schema.Textf("%s knows members as a whole, not their interfaces", "%s 只认整个成员，不区分其接口", b.engine), true
		}
		if _, _, ok := b.dimension(); !ok {
			return schema.Textf("the pool states no granularity finer than the address", "池没有写比地址更细的粒度"), true
		}
	case "cooldown":
		switch {
		case !states(schema.Cooldown) && b.program():
			return schema.Textf("nothing here gives %s a cooldown: a member returns when its checks or trials pass", "此处没有设置让 %s 冷却：检查或试探通过即恢复", b.engine), true
		case !states(schema.Cooldown):
			return schema.Textf("the pool states no cooldown", "池没有写 cooldown"), true
		case id == "cooldown/forced" && !b.controller():
			return schema.Textf("%s keeps no record of an operator's order, and starts no cooldown by it", "%s 不记录人工指令，也不因此开始冷却", b.engine), true
		}
	case "ramp":
		switch {
		case !b.controller():
			return schema.Textf("%s returns members without batches that are judged", "%s 恢复成员时没有可判断的批次", b.engine), true
		case !states(schema.Ramp):
			return schema.Textf("the pool states no ramp", "池没有写 ramp"), true
		case len(b.copy.Batches) < 2:
			return schema.Textf("the ramp has no middle batch: %d batches", "放量没有中间批次：共 %d 批", len(b.copy.Batches)), true
		}
		for i := range b.copy.Batches[:b.middle()] {
			if b.copy.Batches[i].Manual {
				return schema.Textf("batch %d waits for a person, so no run comes to the middle", "第 %d 批等待人工确认，演练无法到达中间批次", i+1), true
			}
		}
	}
	return schema.Text{}, false
}
