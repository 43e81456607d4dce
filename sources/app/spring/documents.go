package spring

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// active reports whether a document applies under the source's profiles.
func (r *reader) active(doc *prop) bool {
	activate := doc.get("spring", "config", "activate")
	if cloud := activate.child("on-cloud-platform"); cloud != nil {
		r.skipped(doc, cloud.place(), schema.Textf("this document is not read: it applies on one cloud platform only", "未读取此文档：它只在特定云平台上生效"))
		return false
	}
	for _, when := range []*prop{activate.child("on-profile"), doc.get("spring", "profiles")} {
		// Beside the old "spring.profiles: prod" there are keys below it: spring.profiles.active.
		conditions := texts(when)
		if len(conditions) == 0 {
			continue
		}
		if !r.anyAccepted(conditions, when) {
			r.skipped(doc, when.place(), schema.Textf("this document is not read: it applies under profile %s, and the source's profiles are %s",
				"未读取此文档：它在 profile %s 下生效，而该来源的 profiles 为 %s", strings.Join(conditions, ", "), r.profileNames()))
			return false
		}
	}
	return true
}

func (r *reader) profileNames() string {
	if len(r.in.Source.Profiles) == 0 {
		return "default"
	}
	return strings.Join(r.in.Source.Profiles, ", ")
}

// anyAccepted reports whether one of the expressions holds. Without profiles, Spring activates one named default.
func (r *reader) anyAccepted(conditions []string, when *prop) bool {
	profiles := r.in.Source.Profiles
	if len(profiles) == 0 {
		profiles = []string{"default"}
	}
	accepted := false
	for _, c := range conditions {
		yes, ok := accepts(c, func(p string) bool { return slices.Contains(profiles, p) })
		if !ok {
			r.report(schema.Problem{
				Rule: "schema/invalid", At: when.valueAt, Field: "spring.config.activate.on-profile", Got: c,
				Text: schema.Textf("Spring refuses the profile expression %q", "Spring 拒绝 profile 表达式 %q", c),
				Hint: schema.Textf("write names with !, & and |, and parentheses where & and | meet: (prod & !eu) | test", "用名称和 !、&、| 书写，& 与 | 混用时加括号：(prod & !eu) | test"),
			})
		}
		accepted = accepted || ok && yes
	}
	return accepted
}

// skipped notes a document that is left out, if pools would have been read from it.
func (r *reader) skipped(doc *prop, at schema.Span, text schema.Text) {
	if doc.child("resilience4j") == nil && doc.get("spring", "cloud", "gateway") == nil && doc.get("spring", "cloud", "discovery", "client", "simple") == nil {
		return
	}
	r.report(schema.Problem{Rule: "source/skipped", At: at, Text: text,
		Hint: schema.Textf("name the profile in the source to read it", "需要读取时，请在来源中写明该 profile")})
}

// texts returns the texts of a value: the entries of a list, or a text split at its commas. Placeholders are left as
// they are.
func texts(p *prop) []string {
	if p == nil {
		return nil
	}
	var out []string
	add := func(v *prop) {
		if s, ok := v.scalar(); ok {
			out = append(out, bind.SplitList(s.Text)...)
		}
	}
	add(p)
	if p.list {
		for _, kid := range p.kids {
			add(kid)
		}
	}
	return out
}
