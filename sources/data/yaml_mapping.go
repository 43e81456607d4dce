package data

import (
	"go.yaml.in/yaml/v3"
)

// mapping reads keys and values, settles keys written twice, and merges.
func (d *decoding) mapping(y *yaml.Node, start, depth int) (*Node, int) {
	n := &Node{Kind: Map}
	braces := y.Style&yaml.FlowStyle != 0 && start < len(d.text) && d.text[start] == '{'
	if braces && len(y.Content) > 0 && d.isAt(y.Content[0], start) {
		braces = false // [{a: b}: c], a single pair whose key has braces
	}
	end := start
	if braces {
		end++
	}
	var keys keySet
	var merge *Pair
	for i := 0; i+1 < len(y.Content); i += 2 {
		ky, vy := y.Content[i], y.Content[i+1]
		key, keyEnd := d.node(ky, depth+1)
		if absent(ky) {
			keyEnd = d.before(end, ':')
			key.At = d.at(keyEnd, keyEnd)
		}
		value, valueEnd := d.node(vy, depth+1)
		if absent(vy) {
			valueEnd = d.afterColon(keyEnd)
			value.At = d.at(valueEnd, valueEnd)
		}
		end = valueEnd
		if ky.Kind == yaml.ScalarNode && key.Style == Plain && oddStart(key.Text) {
			d.problems.add(lookAlike(key))
		}
		if vy.Line > ky.Line {
			d.lostKey(value)
		}
		pair := Pair{Key: d.keyText(key), KeyAt: key.Place(), Value: value}
		if ky.Kind == yaml.ScalarNode && ky.Tag == "!!merge" {
			if merge != nil {
				d.problems.duplicate(pair, merge.KeyAt)
			}
			merge = &pair
			continue
		}
		d.add(n, &keys, pair)
	}
	if merge != nil {
		d.merge(n, *merge, &keys)
	}
	if braces {
		end = d.flowEnd(end, '}')
	}
	n.At = d.at(start, end)
	return n, end
}

// add appends an entry. A key that is there already is reported, unless they stand in branches of a template: then
// neither value is known.
func (d *decoding) add(n *Node, keys *keySet, p Pair) {
	var before *Node
	if i := keys.find(n, p.Key); i >= 0 {
		before = n.Pairs[i].Value
	}
	first, again := keys.add(n, p)
	if !again {
		return
	}
	if d.filler == nil || !d.filler.between(int(first.End)-d.base+d.chunk, int(p.KeyAt.Start)-d.base+d.chunk) {
		d.problems.duplicate(p, first)
		return
	}
	if before.Scalar() && p.Value.Scalar() && before.At.Start < p.Value.At.End {
		shift := d.chunk - d.base
		both := &Node{Kind: String, At: p.Value.At, Text: d.filler.source[int(before.At.Start)+shift : int(p.Value.At.End)+shift]}
		n.Pairs[keys.find(n, p.Key)].Value = both
	}
}

func (d *decoding) isAt(y *yaml.Node, pos int) bool { return d.offset(y.Line, y.Column) == pos }

// before returns the next byte c after white space from i on, or i.
func (d *decoding) before(i int, c byte) int {
	for j := i; j < len(d.text); j++ {
		j = skipWhite(d.text, j)
		if j < len(d.text) && d.text[j] == c {
			return j
		}
		if j >= len(d.text) || d.text[j] != ',' && d.text[j] != '?' {
			return i
		}
	}
	return i
}

// afterColon returns the byte after the colon that follows a key's end at i, or i if none follows.
func (d *decoding) afterColon(i int) int {
	if j := skipWhite(d.text, i); j < len(d.text) && d.text[j] == ':' {
		return j + 1
	}
	return i
}

// keyText returns what a key is called: a scalar's text, of other keys the source.
func (d *decoding) keyText(key *Node) string {
	if key.Scalar() {
		return key.Text
	}
	return d.text[int(key.At.Start)-d.base : int(key.At.End)-d.base]
}
