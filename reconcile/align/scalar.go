package align

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// scalar proposes the ways to write one value of an item. Two values that one text gives are settled together.
func (p *planner) scalar(t *todo, i int) {
	d := &t.divs[i]
	if t.by[i] != nil {
		return
	}
	at, old, ok := p.at(d.At)
	if !ok {
		t.why[i] = whyLayout()
		return
	}
	divs := []int{i}
	merged := p.notation == yamlText && merge(p.text, at)
	for j := i + 1; j < len(t.divs) && !merged; j++ {
		if o := &t.divs[j]; o.At == d.At && o.Item == d.Item && t.why[j].En == "" {
			divs = append(divs, j)
		}
	}
	var ways []string
	e := effect{}
	for _, j := range divs {
		path := schema.Path(t.divs[j].Item.String() + "." + t.divs[j].Field)
		ways = append(p.ways(path, &t.divs[j], at, old), ways...)
		e.fields = append(e.fields, path)
		if strings.HasPrefix(string(path), "cooldown.growth.") {
			e.fields = append(e.fields, "cooldown.growth.kind", "cooldown.growth.factor")
		}
	}
	says := schema.Text{
		En: e.fields[0].Item().String() + "." + d.Field + ": " + d.Got + " becomes " + d.Want,
		Zh: e.fields[0].Item().String() + "." + d.Field + "：" + d.Got + " 改为 " + d.Want,
	}
	why := whyNotation()
	if placeholder(old) {
		why = whyTemplate()
	}
	keys := map[divKey]bool{}
	for _, j := range divs {
		keys[keyOf(&t.divs[j])] = true
	}
	alts := p.alternatives(at, old, ways, says, e)
	if merged {
		alts, why = p.overMerge(e.fields[0], d, at, says, e), whyMerged()
	}
	for _, path := range e.fields[:len(divs)] {
		alts = p.echo(alts, path, d, says)
	}
	p.propose(t, divs, alts, func(o *reconcile.Divergence) bool { return keys[keyOf(o)] }, why)
}

// echo writes the value also where the document repeats it.
func (p *planner) echo(alts []alternative, path schema.Path, d *reconcile.Divergence, says schema.Text) []alternative {
	for _, s := range p.job.echoes[path] {
		at, old, ok := p.at(s)
		if !ok {
			continue
		}
		more := p.alternatives(at, old, p.ways(path, d, at, old), says, effect{})
		if len(more) == 0 {
			return nil
		}
		for i := range alts {
			alts[i].pieces = append(alts[i].pieces, more[min(i, len(more)-1)].pieces...)
		}
	}
	return alts
}

// ways spells the truth's value where old stands.
func (p *planner) ways(path schema.Path, d *reconcile.Divergence, at span, old string) []string {
	want, ok := wanted(path, d)
	if !ok {
		return nil
	}
	f, _ := p.copy.Get(path)
	was := f.Value
	switch want.Kind() {
	case schema.Duration:
		return spellDuration(old, was.Duration(), want.Duration(), p.notation == document)
	case schema.Int:
		if was.Kind() == schema.Number { // a share or factor that the truth writes without a fraction
			return spellNumber(old, was.Number(), want.Number())
		}
		return spellInt(old, want.Int())
	case schema.Number:
		return spellNumber(old, was.Number(), want.Number())
	case schema.Bool:
		return spellFlag(old, want.Bool())
	case schema.List:
		return p.spellList(at, old, want.List())
	case schema.TextKind:
		if was.Kind() == schema.List {
			return p.spellList(at, old, strings.Split(want.Text(), ","))
		}
		return spellText(old, was.String(), want.Text(), p.notation.quotable())
	}
	return nil
}

// wanted returns the value that the truth has: what its engine uses, where the comparison says so, else what it writes.
func wanted(path schema.Path, d *reconcile.Divergence) (schema.Value, bool) {
	if d.Implied != nil && d.Implied.Path == path && d.Implied.Value.Said() {
		return d.Implied.Value, true
	}
	v, _, ok := reconcile.NewView(d.Truth).Value(path)
	return v, ok && v.Said()
}

// spellList writes a list where old stands: in brackets, or with commas.
func (p *planner) spellList(at span, old string, want []string) []string {
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	if placeholder(old) || len(want) == 0 {
		return nil
	}
	if s, ok := p.tree.values[at]; ok && len(s.node.Items) > 0 && old[0] != '[' { // lines with dashes
		return p.spellLines(s, at, want)
	}
	inner, quotes := old, ""
	open := strings.HasPrefix(old, "[") && strings.HasSuffix(old, "]")
	if open {
		inner = strings.TrimSpace(old[1 : len(old)-1])
	} else if bare := bareText(old); bare != old {
		inner, quotes = bare, old[:1]
	}
	sep := ", "
	for _, s := range []string{", ", "、", "，", "; ", ",", ";"} {
		if strings.Contains(inner, s) {
			sep = s
			break
		}
	}
	first, _, _ := strings.Cut(inner, strings.TrimSpace(sep))
	items := make([]string, len(want))
	mixed := make([]string, len(want))
	for i, w := range want {
		items[i] = w
		mixed[i] = w
		if open {
			items[i] = requote(strings.TrimSpace(first), w, p.notation.quotable())
			if mixed[i] = w; strings.Trim(w, "0123456789") != "" {
				mixed[i] = jsonText(w)
			}
		}
	}
	write := func(items []string) string {
		text := strings.Join(items, sep)
		if open {
			return "[" + text + "]"
		}
		return quotes + text + quotes
	}
	return []string{write(items), write(mixed)}
}

// spellLines writes a block list anew in the layout of its first line.
func (p *planner) spellLines(s seat, at span, want []string) []string {
	items := s.node.Items
	firstAt := asSpan(items[0].Place())
	if p.listComment(at) {
		return nil
	}
	lead := p.text[lineStart(p.text, firstAt.start):firstAt.start]
	var b strings.Builder
	for i, w := range want {
		if i == 0 {
			b.WriteString(p.text[at.start:firstAt.start])
		} else {
			b.WriteString(lineBreak(p.text) + lead)
		}
		b.WriteString(requote(p.text[firstAt.start:firstAt.end], w, p.notation.quotable()))
	}
	return []string{b.String()}
}

// listComment reports whether a comment stands inside of a place.
func (p *planner) listComment(at span) bool {
	return p.comment == "" || strings.Contains(p.text[at.start:at.end], p.comment)
}
