package manifest

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// each calls do for the accepted entries of a mapping.
func (l *loader) each(n *data.Node, do func(*data.Pair)) {
	if !l.file.Usable(n) || n.Kind != data.Map {
		return
	}
	for i := range n.Pairs {
		if p := &n.Pairs[i]; l.file.Usable(p.Value) {
			do(p)
		}
	}
}

// list returns the accepted entries of a list.
func (l *loader) list(n *data.Node) []*data.Node {
	if !l.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	items := make([]*data.Node, 0, len(n.Items))
	for _, item := range n.Items {
		if l.file.Usable(item) {
			items = append(items, item)
		}
	}
	return items
}

// oneOrMore returns a scalar, or the entries of a list.
func (l *loader) oneOrMore(n *data.Node) []*data.Node {
	if l.file.Usable(n) && n.Scalar() {
		return []*data.Node{n}
	}
	return l.list(n)
}

// text returns the text of an accepted scalar, empty for everything else.
func (l *loader) text(n *data.Node) string {
	if !l.file.Usable(n) || !n.Scalar() {
		return ""
	}
	return n.Text
}

// texts returns a list of texts: nil if there is no list, empty if it is empty.
func (l *loader) texts(n *data.Node) []string {
	if !l.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	list := make([]string, 0, len(n.Items))
	for _, item := range l.list(n) {
		list = append(list, item.Text)
	}
	return list
}

func (l *loader) int(n *data.Node) int {
	text := l.text(n)
	if text == "" {
		return 0
	}
	i, ok := strict.ParseInt(text)
	if !ok || i > math.MaxInt32 || i < math.MinInt32 {
		l.outOfRange(n)
		return 0
	}
	return int(i)
}

func (l *loader) number(n *data.Node) float64 {
	text := l.text(n)
	if text == "" {
		return 0
	}
	f, ok := strict.ParseNumber(text)
	if !ok {
		l.outOfRange(n)
	}
	return f
}

func (l *loader) duration(n *data.Node) time.Duration {
	d, err := schema.ParseDuration(l.text(n))
	if err != nil && l.text(n) != "" {
		l.outOfRange(n)
	}
	return d
}

// outOfRange reports a value of the right form that no variable holds.
func (l *loader) outOfRange(n *data.Node) {
	l.report(n.Place(), schema.Textf("%s is out of range", "%s 超出范围", short(n.Text)), schema.Text{})
}

// short shortens a value for a message.
func short(s string) string {
	const shown = 60
	if len(s) > shown {
		return s[:shown] + "..."
	}
	return s
}
