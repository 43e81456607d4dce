package align

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// planner proposes the changes of one copy.
type planner struct {
	text     string
	notation notation
	comment  string
	tree     *tree
	job      *job
	copy     *schema.Copy // as it was read
	places   map[any]*listing
	members  []spot // of the copy's members, once they are asked for
	batches  []spot
	sides    [][]spot         // of values of batches in lists of their own
	byID     map[string][]int // the members, by identity
	changes  []*change
}

// spot is where an entry stands: in which list, as which of its entries. list is nil where that is not understood, and
// why says what is in the way.
type spot struct {
	list *listing
	i    int
	why  schema.Text
}

// plan proposes the changes that settle the differences of a copy.
func plan(text string, j *job, shared map[notation]*tree) []*change {
	n := notationOf(j.before, text)
	if shared[n] == nil {
		shared[n] = newTree(n.decode(text))
	}
	p := &planner{text: text, notation: n, comment: n.comment(), tree: shared[n], job: j, copy: j.before, places: map[any]*listing{}}
	type key struct {
		divKey
		at         schema.Span
		want, pool string
	}
	first := map[key]*todo{}
	which := map[key]int{}
	torn := tornBetween(j.todos)
	for _, t := range j.todos {
		ride := make([]bool, len(t.divs))
		for i := range t.divs {
			d := &t.divs[i]
			k := key{keyOf(d), d.At, d.Want, t.Pool}
			if o := first[k]; o != nil && o != t {
				ride[i] = true
				continue
			}
			if torn[k.divKey] {
				t.why[i] = whyEnvironments()
			}
			first[k], which[k] = t, i
		}
		p.todo(t, ride)
		for i := range t.divs {
			if d := &t.divs[i]; ride[i] {
				k := key{keyOf(d), d.At, d.Want, t.Pool}
				o := first[k]
				if c := o.by[which[k]]; c != nil {
					t.by[i] = c
					c.riders = append(c.riders, t)
				} else {
					t.why[i] = o.why[which[k]]
				}
			}
		}
	}
	return p.changes
}

// tornBetween returns what the tasks of one copy, each of an environment of its own, want differently.
func tornBetween(todos []*todo) map[divKey]bool {
	out, wants := map[divKey]bool{}, map[divKey]string{}
	if len(todos) < 2 {
		return out
	}
	for _, t := range todos {
		own := map[divKey]string{}
		for i := range t.divs {
			own[keyOf(&t.divs[i])] = t.divs[i].Want
		}
		for k, w := range own {
			if other, there := wants[k]; there && other != w {
				out[k] = true
			}
			wants[k] = w
		}
	}
	return out
}

// todo proposes the changes of one task; those that ride were proposed for another one.
func (p *planner) todo(t *todo, ride []bool) {
	var open, weights, ranks []int
	var missing []int
	for i := range t.divs {
		d := &t.divs[i]
		switch {
		case ride[i] || t.why[i].En != "":
		case d.Kind == reconcile.CannotCompare:
			t.why[i] = whyNames()
		case d.Excused > 0:
			t.why[i] = whyUnresolved()
		case d.At.File != 0:
			t.why[i] = whyElsewhere(fileOf(t.Copy, d.At.File))
		case d.Truth == nil:
			t.why[i] = whyUnknown()
		case d.Item == schema.Members && d.Kind == reconcile.Missing:
			missing = append(missing, i)
		case d.Item == schema.Members && d.Field == "weight":
			weights = append(weights, i)
		case d.Item == schema.Members && d.Field == "priority":
			ranks = append(ranks, i)
		default:
			open = append(open, i)
		}
	}
	if len(missing) == 1 && p.swap(t, missing[0], open) {
		missing = nil
	}
	var set *roster
	if len(missing)+len(weights)+len(ranks) > 0 {
		set = p.roster(t, missing)
	}
	for _, i := range weights {
		p.weight(t, i, set)
	}
	p.ranks(t, ranks, set)
	p.missing(t, missing, set)
	for _, i := range open {
		d := &t.divs[i]
		switch {
		case t.by[i] != nil: // settled together with another one
		case d.Item == schema.Members && d.Kind == reconcile.Extra:
			p.extra(t, i)
		case d.Item == schema.Members && d.Field == "backup":
			p.backup(t, i)
		case d.Item == schema.Members && d.Field == "state":
			p.state(t, i)
		case d.Item == schema.Ramp && d.Field == "stop":
			p.stops(t, i)
		case d.Item == schema.Ramp && len(t.divs[i].Field) >= len("batches") && t.divs[i].Field[:len("batches")] == "batches":
			p.ramp(t, i)
		case d.Item == schema.Members:
			t.why[i] = whyLayout()
		default:
			p.scalar(t, i)
		}
	}
}

func fileOf(c *schema.Copy, i uint16) string {
	if int(i) < len(c.Files) {
		return c.Files[i]
	}
	return c.File()
}

// propose adds a change for some differences of a task. Without any way to make it, they are left for the reason why.
func (p *planner) propose(t *todo, divs []int, alts []alternative, unsettled func(*reconcile.Divergence) bool, why schema.Text) *change {
	if len(alts) == 0 {
		for _, i := range divs {
			t.why[i] = why
		}
		return nil
	}
	c := &change{todo: t, divs: divs, item: t.divs[divs[0]].Item, alts: alts, unsettled: unsettled}
	for _, i := range divs {
		t.by[i] = c
	}
	p.changes = append(p.changes, c)
	return c
}

// about notes which member a change is about.
func (c *change) about(member string) {
	if c != nil {
		c.member = member
	}
}

// is returns a test for one difference.
func is(d *reconcile.Divergence) func(*reconcile.Divergence) bool {
	k := keyOf(d)
	return func(o *reconcile.Divergence) bool { return keyOf(o) == k }
}

// at returns the bytes of a place in the copy's own file.
func (p *planner) at(s schema.Span) (span, string, bool) {
	at := asSpan(s)
	if s.File != 0 || !at.known() || at.end > len(p.text) {
		return span{}, "", false
	}
	return at, p.text[at.start:at.end], true
}

// alternatives makes one alternative of each way to write a value.
func (p *planner) alternatives(at span, old string, ways []string, says schema.Text, e effect) []alternative {
	const most = 12
	var out []alternative
	seen := map[string]bool{old: true}
	for _, w := range ways {
		if seen[w] || len(out) == most {
			continue
		}
		seen[w] = true
		place, text := p.roomFor(at, w)
		out = append(out, alternative{[]piece{replace(place, text, says)}, e})
	}
	return out
}

// roomFor takes up the padding of a table's cell, so that its bars stay where they are.
func (p *planner) roomFor(at span, new string) (span, string) {
	if p.notation != document {
		return at, new
	}
	c, ok := cellAt(p.text, at)
	if !ok || !padded(p.text, at.start) {
		return at, new
	}
	whole := p.text[c.start:at.start] + new + p.text[at.end:c.end]
	return span{c.from, c.to}, c.fill(p.text, whole)
}
