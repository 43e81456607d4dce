package data

import "go.yaml.in/yaml/v3"

// properties skips anchors and tags before a value. It returns where the value starts and where the last property
// ends, which is start if there is none.
func (d *decoding) properties(start int) (value, end int) {
	s := d.text
	value, end = start, start
	for value < len(s) && (s[value] == '&' || s[value] == '!') {
		end = value + 1
		for end < len(s) && white(s, end) == 0 && (s[value] == '!' || wordByte(s[end])) {
			end++
		}
		value = skipWhite(s, end)
	}
	return value, end
}

func (d *decoding) scalar(y *yaml.Node, start, props int) (*Node, int) {
	n := &Node{Kind: String, Text: y.Value}
	end := start
	switch {
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		n.Style = Quoted
		end = quotedEnd(d.text, start)
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		n.Style = Block
		end = blockEnd(d.text, start, y.Value)
	case y.Value == "":
		start = props
		end = props
		n.Kind = Null
	default:
		end = plainEnd(d.text, start, y.Value)
		n.Kind = plainKind(y.Value)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		n.Kind = taggedKind(y.Tag, n.Kind)
		n.settled = true
	}
	if after, ok := d.undefined[start]; ok {
		n.Text, end = "", after
	}
	if d.filler != nil {
		d.filler.restore(n, d.chunk+start, d.chunk+end)
	}
	n.At = d.at(start, end)
	return n, end
}

// taggedKind returns the kind that an explicit tag gives a scalar; tags of applications leave a text.
func taggedKind(tag string, kind Kind) Kind {
	switch tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int":
		return Int
	case "!!float":
		return Float
	}
	if kind == Null && tag != "!!str" {
		return Null
	}
	return String
}

// absent reports whether a node stands for a value that is not written at all.
func absent(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style == 0 && y.Anchor == ""
}
