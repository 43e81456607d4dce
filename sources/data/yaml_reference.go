package data

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/schema"
)

// Bounds of what one file may cost, far above what people write.
const (
	maxDepth    = 500     // levels of nesting
	maxExpanded = 200_000 // nodes that aliases may add to a document
	maxAliased  = 4 << 20 // bytes of text that aliases may add to a document
)

// decoding reads one document through yaml.v3 and adds what that does not tell: bytes instead of runes, and where
// values end.
type decoding struct {
	places
	base      int     // of the document in the file
	chunk     int     // of the document in the filler's text
	filler    *filler // nil if the file is no template
	anchors   map[*yaml.Node]*Node
	open      map[*yaml.Node]bool // anchors whose value is being read
	undefined map[int]int         // aliases of no anchor, which read as null: start and end
	expanded  int                 // nodes that aliases have added
	aliased   int                 // bytes of text in them
	problems  problemList
	deep      bool // nesting beyond maxDepth was reported
	bomb      bool // expansion beyond maxExpanded or maxAliased was reported
}

// decode runs yaml.v3 over one document.
func decode(text string) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		return nil, errors.New("yaml: did not find expected <document start>")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &document, nil
}

// at returns the span of bytes of the document.
func (d *decoding) at(start, end int) schema.Span { return schema.At(d.base+start, d.base+end) }

// node converts a value and returns the byte after it.
func (d *decoding) node(y *yaml.Node, depth int) (*Node, int) {
	start := d.offset(y.Line, y.Column)
	if y.Kind == yaml.AliasNode {
		return d.alias(y, start)
	}
	start, props := d.properties(start)
	if depth > maxDepth {
		if !d.deep {
			d.problems.add(tooDeep(d.at(start, min(start+1, len(d.text)))))
		}
		d.deep = true
		return &Node{}, start
	}
	if y.Anchor != "" {
		d.open[y] = true
		defer delete(d.open, y)
	}
	var n *Node
	end := start
	switch y.Kind {
	case yaml.MappingNode:
		n, end = d.mapping(y, start, depth)
	case yaml.SequenceNode:
		n, end = d.sequence(y, start, depth)
	default:
		n, end = d.scalar(y, start, props)
	}
	if y.Anchor != "" {
		d.anchors[y] = n
	}
	return n, end
}

func (d *decoding) sequence(y *yaml.Node, start, depth int) (*Node, int) {
	n := &Node{Kind: List}
	flow := y.Style&yaml.FlowStyle != 0
	end := start + 1
	for i, item := range y.Content {
		child, after := d.node(item, depth+1)
		if absent(item) && !flow {
			// yaml.v3 puts an absent entry anywhere up to the next token; it belongs after its dash.
			dash := end
			if i > 0 {
				dash = skipWhite(d.text, end) + 1
			}
			after = min(dash, len(d.text))
			child.At = d.at(after, after)
		}
		if !flow {
			d.lostKey(child)
		}
		n.Items = append(n.Items, child)
		end = after
	}
	if flow {
		end = d.flowEnd(end, ']')
	}
	n.At = d.at(start, end)
	return n, end
}

// flowEnd returns the byte after the bracket that closes a flow collection whose last child ends at i.
func (d *decoding) flowEnd(i int, closing byte) int {
	for {
		i = skipWhite(d.text, i)
		if i >= len(d.text) {
			return len(d.text)
		}
		switch d.text[i] {
		case closing:
			return i + 1
		case ',', '?', ':':
			i++
		default:
			return i
		}
	}
}
