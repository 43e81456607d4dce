package spring

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// formerNames are keys of earlier versions, which current ones read over without a word.
var formerNames = map[string]string{
	"ringbuffersizeinclosedstate":   "slidingWindowSize",
	"ringbuffersizeinhalfopenstate": "permittedNumberOfCallsInHalfOpenState",
	"maxretryattempts":              "maxAttempts",
}

// unknownKeys reports the keys of a block that the module does not have. The program ignores them silently, so that
// what was meant stays at its default.
func (r *reader) unknownKeys(m module, block *prop) {
	v := r.version()
	for _, kid := range block.entries() {
		if _, ok := m.key(kid.name); ok || kid.node == nil && len(kid.kids) == 0 {
			continue
		}
		if v.Known() && v.Less(2, 0) && formerNames[relaxed(kid.name)] != "" {
			continue
		}
		r.report(m.unknown(kid))
	}
}

func (m module) unknown(kid *prop) schema.Problem {
	p := schema.Problem{
		Rule: "schema/unknown-key", Severity: schema.Warning, At: kid.at, Field: kid.name, Got: kid.name,
		Text: schema.Textf("resilience4j's %s has no key %s; it is ignored without a word", "resilience4j 的 %s 没有键 %s；它会被静默忽略", m.name, kid.name),
	}
	base, millis := strings.CutSuffix(relaxed(kid.name), "millis")
	switch k, ok := m.key(base); {
	case millis && ok && k.kind == durationKey:
		p.Want = k.name
		p.Hint = schema.Textf("the key is %s, and the unit stands in the value: 5000ms", "键名是 %s，单位写在值里：5000ms", k.name)
		return p
	case formerNames[relaxed(kid.name)] != "":
		p.Want = formerNames[relaxed(kid.name)]
		p.Hint = schema.Textf("current versions call it %s", "当前版本中的名称是 %s", p.Want)
		return p
	}
	names := make([]string, len(m.keys))
	for i, k := range m.keys {
		names[i] = k.name
	}
	const most = 12
	switch near := bind.Nearest(kid.name, names); {
	case near != "":
		p.Want = near
		p.Hint = schema.Textf("did you mean %s?", "是否应为 %s？", near)
	case len(names) <= most:
		p.Hint = schema.Textf("the keys are: %s", "可用的键：%s", strings.Join(names, ", "))
	default:
		p.Hint = schema.Textf("remove it; no key of this block is called anything like it", "请删除；该块没有名称相近的键")
	}
	return p
}
