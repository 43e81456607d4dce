package data

import "github.com/pelletier/go-toml/v2/unstable"

// header opens the table that [a.b] or [[a.b]] names and returns the byte after the line's last bracket.
func (r *tomlReader) header(e *unstable.Node) int {
	parts := r.parts(e)
	start, end := parts[0].start-1, parts[len(parts)-1].end
	for start > 0 && r.text[start] != '[' {
		start--
	}
	brackets := 1
	if e.Kind == unstable.ArrayTable {
		start, brackets = start-1, 2
	}
	for ; brackets > 0 && end < len(r.text); end++ {
		if r.text[end] == ']' {
			brackets--
		}
	}
	at := r.at(start, end)
	if len(parts) > maxDepth {
		r.problems.add(tooDeep(at))
		parts = parts[:1]
	}
	path := []*Node{r.root}
	table := r.root
	for _, k := range parts[:len(parts)-1] {
		table, path = r.step(table, k, path)
	}
	last := parts[len(parts)-1]
	if e.Kind == unstable.ArrayTable {
		path = r.element(table, last, path)
	} else {
		path = r.define(table, last, path)
	}
	r.table(path[len(path)-1]).header = r.at(last.start, last.end)
	r.path = path
	r.widen(path, at)
	return end
}

// step goes to the table under a key, which is made where it is missing; of an array of tables, to its last one.
func (r *tomlReader) step(table *Node, k keyPart, path []*Node) (*Node, []*Node) {
	if p := r.find(table, k.name); p != nil {
		n := p.Value
		if n.Kind == List && r.table(n).ofArray {
			path = append(path, n)
			n = n.Items[len(n.Items)-1]
			return n, append(path, n)
		}
		if n.Kind == Map && !r.table(n).inline {
			return n, append(path, n)
		}
	}
	n := &Node{Kind: Map, settled: true}
	r.add(table, k, n) // reports a value that stands in the way
	return n, append(path, n)
}

// define opens the table of a [header].
func (r *tomlReader) define(table *Node, k keyPart, path []*Node) []*Node {
	p := r.find(table, k.name)
	if p == nil || p.Value.Kind != Map || r.table(p.Value).inline {
		n := &Node{Kind: Map, settled: true}
		r.add(table, k, n)
		return append(path, n)
	}
	if first := r.table(p.Value).header; first.Known() {
		r.problems.duplicate(Pair{Key: k.name, KeyAt: r.at(k.start, k.end)}, first)
	}
	return append(path, p.Value)
}

// element adds a table to the array of tables of a [[header]].
func (r *tomlReader) element(table *Node, k keyPart, path []*Node) []*Node {
	p := r.find(table, k.name)
	var list *Node
	if p != nil && p.Value.Kind == List && r.table(p.Value).ofArray {
		list = p.Value
	} else {
		list = &Node{Kind: List, settled: true}
		r.table(list).ofArray = true
		r.add(table, k, list)
	}
	n := &Node{Kind: Map, settled: true}
	list.Items = append(list.Items, n)
	return append(path, list, n)
}
