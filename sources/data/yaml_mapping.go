package data

import (
	"go.yaml.in/yaml/v3"
)

// mapping reads keys and values, settles keys written twice, and merges.
func (r *reference) mapping(y *yaml.Node, start, depth int) (*Node, int) {
	n := &Node{Kind: Map}
	braces := y.Style&yaml.FlowStyle != 0 && start < len(r.text) && r.text[start] == '{'
	if braces && len(y.Content) > 0 && r.isAt(y.Content[0], start) {
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
		key, keyEnd := r.node(ky, depth+1)
		if absent(ky) {
			keyEnd = r.before(end, ':')
			key.At = r.at(keyEnd, keyEnd)
		}
		value, valueEnd := r.node(vy, depth+1)
		if absent(vy) {
			valueEnd = r.afterColon(keyEnd)
			value.At = r.at(valueEnd, valueEnd)
		}
		end = valueEnd
		pair := Pair{Key: r.keyText(key), KeyAt: key.Place(), Value: value}
		if ky.Kind == yaml.ScalarNode && ky.Tag == "!!merge" {
			if merge != nil {
				r.problems = append(r.problems, duplicateKey(pair, merge.KeyAt))
			}
			merge = &pair
			continue
		}
		if first, again := keys.add(n, pair); again {
			r.problems = append(r.problems, duplicateKey(pair, first))
		}
	}
	if merge != nil {
		r.merge(n, *merge, &keys)
	}
	if braces {
		end = r.flowEnd(end, '}')
	}
	n.At = r.at(start, end)
	return n, end
}

func (r *reference) isAt(y *yaml.Node, pos int) bool { return r.offset(y.Line, y.Column) == pos }

// before returns the next byte c after white space from i on, or i.
func (r *reference) before(i int, c byte) int {
	for j := i; j < len(r.text); j++ {
		j = skipWhite(r.text, j)
		if j < len(r.text) && r.text[j] == c {
			return j
		}
		if j >= len(r.text) || r.text[j] != ',' && r.text[j] != '?' {
			return i
		}
	}
	return i
}

// afterColon returns the byte after the colon that follows a key's end at i, or i if none follows.
func (r *reference) afterColon(i int) int {
	if j := skipWhite(r.text, i); j < len(r.text) && r.text[j] == ':' {
		return j + 1
	}
	return i
}

// keyText returns what a key is called: a scalar's text, of other keys the source.
func (r *reference) keyText(key *Node) string {
	if key.Scalar() {
		return key.Text
	}
	return r.text[int(key.At.Start)-r.base : int(key.At.End)-r.base]
}
