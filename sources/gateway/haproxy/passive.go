package haproxy

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// passive reads what HAProxy makes of the answers to real traffic. It observes checked servers only, and nothing counts
// without "observe".
func (k *copier) passive() {
	servers := make([]*server, 0, len(k.checked))
	for _, s := range k.checked {
		if o := s.get(pObserve); o != nil && o.value.text != "none" {
			servers = append(servers, s)
		}
	}
	if len(servers) > 0 {
		if o := k.common(servers, pObserve, "observe", paramText); o != nil {
			k.Copy.Touch(schema.Decision, o.at)
		}
		k.common(servers, pErrorLimit, "decision.consecutive", paramPositive)
		k.common(servers, pOnError, "on-error", paramText)
	}
	all := k.all()
	if len(servers) == 0 {
		k.common(all, pErrorLimit, "error-limit", paramPositive)
		k.common(all, pOnError, "on-error", paramText)
	}
	k.common(all, pOnMarkedDown, "on-marked-down", paramText)
	k.common(all, pOnMarkedUp, "on-marked-up", paramText)
	for _, s := range all {
		for i := range s.options {
			k.oneOf(&s.options[i])
		}
		k.trim()
	}
}

// oneOf refuses words that HAProxy refuses, in parameters that take one of a few.
func (k *copier) oneOf(o *option) {
	var words []string
	switch o.param {
	case pObserve:
		words = []string{"none", "layer4", "layer7"}
	case pOnError:
		words = []string{"fastinter", "fail-check", "sudden-death", "mark-down"}
	case pOnMarkedDown:
		words = []string{"shutdown-sessions"}
	case pOnMarkedUp:
		words = []string{"shutdown-backup-sessions"}
	default:
		return
	}
	text := o.value.text
	if o.value.templated || placeholder(text) || strings.Contains(text, "$") || slices.Contains(words, text) || !k.once(o.at) {
		return
	}
	k.Copy.Report(schema.Problem{Rule: "schema/invalid", At: o.value.at, Item: schema.Members, Field: o.name, Got: text,
		Text: schema.Textf("HAProxy knows no %s %q and refuses the file", "HAProxy 没有 %s %q，会拒绝该文件", o.name, text),
		Hint: schema.Textf("use one of %s", "可用：%s", strings.Join(words, ", "))})
}

// ramp reads slowstart. HAProxy returns a server's weight continuously, without batches.
func (k *copier) ramp() {
	all := k.all()
	if o, _, _ := k.choose(all, pSlowstart, paramTime); o != nil && !o.unsure {
		if d, err := parseTime(o.value.text); err == nil && d == 0 {
			k.common(all, pSlowstart, "slowstart", paramTime) // 0 is off
			return
		}
	}
	k.common(all, pSlowstart, "ramp.window", paramTime)
}

func (k *copier) all() []*server {
	if k.every == nil {
		k.every = slices.AppendSeq(make([]*server, 0, k.p.servers.n), k.p.servers.all())
	}
	return k.every
}
