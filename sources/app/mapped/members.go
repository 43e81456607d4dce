package mapped

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// members reads the member list, if the map names one.
func (p *poolReader) members() {
	switch {
	case p.plan.membersEach != nil:
		p.memberEntries(p.plan.membersEach)
	case p.plan.members != nil:
		p.memberTexts(p.plan.members)
	}
}

// memberPath is the path of the i-th entry of the list as it is written.
func memberPath(i int) schema.Path { return schema.Path("members[" + strconv.Itoa(i) + "]") }

// entries returns what a path leads to, and marks the list that holds it as stated and whole. ok is false where there is
// neither an entry nor an empty list.
func (p *poolReader) entries(e *expr) (hits []match, ok bool) {
	hits, near := e.find(p.from)
	lists, wild := e.lists(p.from)
	if len(hits) == 0 && len(lists) == 0 {
		p.copy.Unresolve("members", e.text, near)
		return nil, false
	}
	p.copy.Complete = true
	if !wild {
		lists = hits
	}
	for _, l := range lists {
		p.copy.Touch(schema.Members, l.place())
		if l.node != nil && l.node.Partial { // template lines add entries to it
			p.copy.Complete = false
		}
	}
	return hits, true
}

// memberTexts reads a list of texts: one member a text, or several with commas.
func (p *poolReader) memberTexts(e *expr) {
	hits, ok := p.entries(e)
	if !ok {
		return
	}
	_, wild := e.lists(p.from)
	for _, h := range hits {
		switch {
		case h.node != nil && h.node.Kind == data.List:
			for _, item := range h.node.Items {
				p.memberText(e, match{node: item}, true)
			}
		default:
			p.memberText(e, h, wild)
		}
	}
}

// memberText reads one text of the list. entry says that the text is an entry of a list, so that a placeholder stands
// for one member; a lone text may stand for the whole list.
func (p *poolReader) memberText(e *expr, h match, entry bool) {
	s, ok := scalar(h)
	if !ok {
		p.notText(e, h)
		return
	}
	if !entry && bind.WholePlaceholder(s.Text) {
		if text, known := bind.Expand(s.Text, p.in.Vars, placeholders); known {
			s.Text = text
		} else {
			p.copy.Unresolve("members", s.Text, s.At)
			p.copy.Complete = false
			return
		}
	}
	if problem, bad := data.Hazard(h.node); bad && problem.Severity != schema.Warning {
		problem.At, problem.Item = s.At, schema.Members
		p.copy.Report(problem)
		p.copy.Unresolved = append(p.copy.Unresolved, schema.Unresolved{Path: memberPath(p.index), Raw: s.Text, At: s.At, Quiet: true})
		p.index++
		return
	}
	for _, piece := range bind.Entries(p.src(s.At), s) {
		text, ok := p.resolve(memberPath(p.index), piece)
		if !ok {
			p.index++
			continue
		}
		for _, one := range bind.SplitList(text) {
			m := schema.Member{At: piece.At}
			if p.endpoint(&m, one, piece) {
				p.copy.Members = append(p.copy.Members, m)
			}
			p.index++
		}
	}
}

// resolve fills in the placeholders of a member's address. What stays unknown is noted without user and password.
func (p *poolReader) resolve(path schema.Path, s bind.Scalar) (string, bool) {
	if _, ok := bind.Expand(s.Text, p.in.Vars, placeholders); !ok {
		p.copy.Unresolve(path, bind.HideUser(s.Text), s.At)
		if loops(s.Text) {
			p.copy.Complete = false
		}
		return "", false
	}
	return p.binder.Resolve(path, s)
}

// loops reports a template block, which may stand for any number of members.
func loops(text string) bool {
	if strings.Contains(text, "{%") {
		return true
	}
	_, block, ok := strings.Cut(text, "{{")
	return ok && strings.HasPrefix(strings.TrimLeft(block, "- "), "range")
}

// notText reports an entry that is a mapping or list, or nothing at all.
func (p *poolReader) notText(e *expr, h match) {
	if h.null() {
		p.copy.Unresolve("members", e.text, h.place())
		p.copy.Complete = false
		return
	}
	p.binder.Refuse(memberPath(p.index), bind.Scalar{Text: e.text, At: h.place()}, "schema/invalid",
		schema.Textf("members: %s leads to a %s, not to a text", "members：%s 指向的是%s，而不是文本", e.text, kindName(h.node)),
		schema.Textf("read it with members: {each: ..., address: ..., port: ...}", "请用 members: {each: ..., address: ..., port: ...} 读取"))
	p.index++
}
