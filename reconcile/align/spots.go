package align

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// standing is an entry as the adapter saw it: its place, and the places of what it consists of.
type standing struct {
	at    schema.Span
	inner []schema.Span
}

// memberSpots returns where the copy's members stand.
func (p *planner) memberSpots() []spot {
	if p.members == nil {
		entries := make([]standing, len(p.copy.Members))
		for i := range p.copy.Members {
			m := &p.copy.Members[i]
			entries[i] = standing{m.At, []schema.Span{m.HostAt, m.PortAt}}
		}
		p.members = p.spots(entries, rolesOf(p.copy.Members))
	}
	return p.members
}

// batchSpots returns where the batches stand; of those whose values stand in lists beside each other, the shares.
func (p *planner) batchSpots() []spot {
	if p.batches == nil {
		entries := make([]standing, len(p.copy.Batches))
		for i := range p.copy.Batches {
			b := &p.copy.Batches[i]
			entries[i] = standing{b.At, []schema.Span{b.ShareAt}}
			if p.beside() {
				entries[i].at = b.ShareAt
			}
		}
		p.batches = p.spots(entries, batchRoles(p.copy.Batches))
	}
	return p.batches
}

// spots finds the lists of some entries of the copy.
func (p *planner) spots(entries []standing, roles map[span]role) []spot {
	out := make([]spot, len(entries))
	if p.notation == document {
		p.rowSpots(entries, out, roles)
		return out
	}
	loose := map[span][]int{} // entries that stand with others in one text, by the text
	for i, e := range entries {
		at, _, ok := p.at(e.at)
		switch {
		case e.at.File != 0:
			out[i].why = whyElsewhere(fileOf(p.copy, e.at.File))
			continue
		case !ok || p.tree == nil:
			out[i].why = whyLayout()
			continue
		case p.notation == yamlText && p.text[at.start] == '*' && len(entries) > 0 && p.tree.aliased(at):
			out[i].why = whyAlias()
			continue
		}
		if s, ok := p.tree.entry(at); ok && p.sole(s, e) {
			out[i] = p.seated(s, roles)
			continue
		}
		if s, ok := p.tree.text(at); ok {
			loose[asSpan(s.node.At)] = append(loose[asSpan(s.node.At)], i)
			continue
		}
		out[i].why = whyLayout()
	}
	for text, list := range loose {
		p.textSpots(text, list, entries, out)
	}
	return out
}

// sole reports whether an entry of a list is one of the copy's entries, rather than a text with several, or one that the
// document has somewhere else.
func (p *planner) sole(s seat, e standing) bool {
	return !(s.keyed && s.node.Scalar() && asSpan(s.node.Place()) == asSpan(e.at))
}

// seated returns the spot of an entry of a list or mapping.
func (p *planner) seated(s seat, roles map[span]role) spot {
	l, known := p.places[s.parent]
	if !known {
		l = p.listOf(s.parent)
		if l != nil {
			l.roles = roles
		}
		p.places[s.parent] = l
	}
	if l == nil {
		return spot{why: whyLayout()}
	}
	if l.byIndex == nil {
		l.byIndex = map[int]int{}
		for i := range l.seats {
			l.byIndex[l.seats[i].index] = i
		}
	}
	if i, ok := l.byIndex[s.index]; ok {
		return spot{list: l, i: i}
	}
	return spot{why: whyLayout()}
}

// listOf returns the list that a collection is; nil where its layout is not understood.
func (p *planner) listOf(n *data.Node) *listing {
	l := &listing{}
	if n.Kind == data.List {
		if p.notation == properties {
			found, ok := propertiesList(p.text, n)
			if !ok {
				return nil
			}
			l.layout = found
			for i := range n.Items { // in the order of their lines, which is that of their numbers
				l.seats = append(l.seats, seat{node: n.Items[i], parent: n, index: i})
			}
			return l
		}
		for i, item := range n.Items {
			l.seats = append(l.seats, seat{node: item, parent: n, index: i})
		}
	} else {
		for i := range n.Pairs {
			if p := &n.Pairs[i]; !p.Merged && p.Value != nil {
				l.seats = append(l.seats, seat{node: p.Value, parent: n, index: i, keyed: true})
			}
		}
		if p.notation == properties || p.notation == cueFile && len(l.seats) == 0 {
			return nil
		}
	}
	where := func(s seat) span {
		if s.keyed {
			return pairSpan(&s.parent.Pairs[s.index])
		}
		return asSpan(s.node.Place())
	}
	slices.SortFunc(l.seats, func(a, b seat) int { return cmp.Compare(where(a).start, where(b).start) })
	var items []span
	for i, s := range l.seats {
		at := where(s)
		if !at.known() || at.end > len(p.text) || i > 0 && at.start < items[i-1].end {
			return nil
		}
		items = append(items, at)
	}
	if len(items) == 0 {
		return nil
	}
	if l.layout = lay(p.text, items, opening(p.text, n), p.comment); l.rows == nil && !l.commas {
		return nil // entries without lines of their own, and with nothing that is known to stand between them
	}
	return l
}

// opening returns the bracket that opens a collection, 0 where none does.
func opening(text string, n *data.Node) byte {
	at := asSpan(n.At)
	if !at.known() || at.end > len(text) || at.start+1 < len(text) && text[at.start:at.start+2] == "[[" && n.Kind == data.List && tables(n) {
		return 0
	}
	if c := text[at.start]; c == '[' && n.Kind == data.List || c == '{' && n.Kind == data.Map {
		return c
	}
	return 0
}

// tables reports whether a list of TOML is an array of tables, which starts where its first table does.
func tables(n *data.Node) bool {
	return len(n.Items) > 0 && n.Items[0].At.Start == n.At.Start
}

// textSpots finds entries that stand in one text, with commas between them.
func (p *planner) textSpots(text span, list []int, entries []standing, out []spot) {
	var items []span
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(entries[a].at.Start, entries[b].at.Start) })
	why := whyLayout()
	if len(order) == 1 && asSpan(entries[order[0]].at) == text {
		why = whyLone()
	}
	for _, i := range order {
		at := asSpan(entries[i].at)
		if at == text || len(items) > 0 && at.start < items[len(items)-1].end {
			for _, j := range list {
				out[j].why = why
			}
			return
		}
		items = append(items, at)
	}
	for _, u := range p.copy.Unresolved { // they are entries too
		if at := asSpan(u.At); u.At.File == 0 && at.within(text) && at != text {
			items = append(items, at)
		}
	}
	slices.SortFunc(items, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	items = slices.Compact(items)
	for i := 1; i < len(items); i++ {
		if sep := p.text[min(items[i-1].end, items[i].start):items[i].start]; strings.Trim(sep, ",，、;； \t\r\n\\") != "" || !strings.ContainsAny(sep, ",，、;；") {
			for _, j := range list {
				out[j].why = whyLayout()
			}
			return
		}
	}
	l := &listing{layout: &layout{text: p.text, items: items}}
	l.commas = true
	index := map[span]int{}
	for i, at := range items {
		index[at] = i
	}
	for _, i := range order {
		out[i] = spot{list: l, i: index[asSpan(entries[i].at)]}
	}
}

// rowSpots finds the rows of tables. Entries of one row stand in one cell, beside each other.
func (p *planner) rowSpots(entries []standing, out []spot, roles map[span]role) {
	byRow := map[span][]int{}
	var rows []span
	for i, e := range entries {
		at, _, ok := p.at(e.at)
		if !ok {
			out[i].why = whyLayout()
			continue
		}
		if byRow[at] == nil {
			rows = append(rows, at)
		}
		byRow[at] = append(byRow[at], i)
	}
	slices.SortFunc(rows, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	for i := 1; i < len(rows); i++ {
		if rows[i].start < rows[i-1].end {
			rows = nil
		}
	}
	if len(rows) == 0 {
		for i := range out {
			out[i].why = whyLayout()
		}
		return
	}
	l := &listing{layout: lay(p.text, rows, 0, ""), owned: p.copy.Pool, roles: roles}
	l.commas, l.trailing = false, false
	l.fill = p.roomFor
	for i, row := range rows {
		l.cells = append(l.cells, cellsOf(p.text, row))
		list := byRow[row]
		if len(list) == 1 {
			out[list[0]] = spot{list: l, i: i}
			continue
		}
		p.cellSpots(list, entries, out)
	}
}

// cellSpots finds the entries of one cell.
func (p *planner) cellSpots(list []int, entries []standing, out []spot) {
	l := &listing{layout: &layout{text: p.text}}
	for _, i := range list {
		at := asSpan(schema.Join(entries[i].inner[0], entries[i].inner[len(entries[i].inner)-1]))
		if n := len(l.items); !at.known() || at.within(asSpan(entries[i].at)) == false || n > 0 && at.start < l.items[n-1].end {
			for _, j := range list {
				out[j].why = whyLayout()
			}
			return
		}
		l.items = append(l.items, at)
		out[i] = spot{list: l, i: len(l.items) - 1}
	}
}
