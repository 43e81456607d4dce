package change

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// Open is one place of an order that is still to be filled in.
type Open struct {
	At schema.Span
	// What is the key, as in "effective" or "items[0].aligned.app"; empty for a place in the text for people.
	What string
}

// open reports whether a value is still to be filled in.
func open(n *data.Node) bool {
	return n.Kind == data.Null || n.Kind == data.String && (n.Text == "TODO" || strings.HasPrefix(n.Text, "TODO ") || strings.HasPrefix(n.Text, "TODO:"))
}

// Todo lists the places of an order that are still to be filled in, in the order of the text. A text that holds no order has
// none.
func Todo(text []byte) []Open {
	f, err := readFront(text)
	if err != nil {
		return nil
	}
	w := walker{text: text, front: f}
	for i := range f.root.Pairs {
		p := &f.root.Pairs[i]
		switch p.Key {
		case "id", "initiator", "effective", "ramp", "approvals", "exceptions":
			w.walk(p.Key, p)
		case "items":
			for n, item := range p.Value.Items {
				if sides := item.Pair("aligned"); sides != nil {
					w.walk("items["+itoa(n)+"].aligned", sides)
				}
			}
		}
	}
	return append(w.list, w.body()...)
}

type walker struct {
	text  []byte
	front *front
	list  []Open
}

func (w *walker) walk(what string, p *data.Pair) {
	v := p.Value
	switch {
	case v == nil:
	case v.Kind == data.Map:
		for i := range v.Pairs {
			w.walk(what+"."+v.Pairs[i].Key, &v.Pairs[i])
		}
	case v.Kind == data.List:
		for i, n := range v.Items {
			w.walk(what+"["+itoa(i)+"]", &data.Pair{Value: n, KeyAt: n.Place()})
		}
	case open(v):
		at := v.Place()
		if v.Kind == data.Null || !at.Known() || at.Start == at.End {
			at = p.KeyAt
		}
		w.list = append(w.list, Open{at, what})
	}
}

// body finds the word TODO in what people write below the front matter, once a line.
func (w *walker) body() []Open {
	var out []Open
	_, at := lineAt(w.text, w.front.end)
	inside := ""
	for at < len(w.text) {
		line, next := lineAt(w.text, at)
		if m, ok := parseMark(line); ok {
			switch {
			case m.begin && inside == "":
				inside = m.name
			case !m.begin && m.name == inside:
				inside = ""
			}
		}
		if i := bytes.Index(line, []byte("TODO")); i >= 0 && inside == "" && !letter(line, i-1) && !letter(line, i+4) {
			out = append(out, Open{At: schema.At(at+i, at+i+4)})
		}
		at = next
	}
	return out
}

func letter(line []byte, i int) bool {
	return i >= 0 && i < len(line) && (line[i] >= 'A' && line[i] <= 'Z' || line[i] >= 'a' && line[i] <= 'z' || line[i] == '_')
}

// Fill returns the order as if what is open were filled in, so that it can be judged what the change still owes: the grammar
// accepts it, and it claims nothing that the trees do not show. now is an RFC 3339 time.
func Fill(text []byte, now string) []byte {
	f, err := readFront(text)
	if err != nil {
		return text
	}
	var edits []edit
	line := func(at schema.Span) edit {
		start := bytes.LastIndexByte(text[:at.Start], '\n') + 1
		_, end := lineAt(text, int(at.Start))
		return edit{start, end, ""}
	}
	for _, t := range Todo(text) {
		switch {
		case t.What == "initiator" || t.What == "effective" || t.What == "id":
			start, end := extent(text, f, f.root.Pair(t.What))
			value := now
			if t.What != "effective" {
				value = "someone"
			}
			edits = append(edits, edit{start, end, t.What + ": " + value + "\n"})
		case strings.HasSuffix(t.What, ".stop") || strings.HasSuffix(t.What, ".rollback"):
			edits = append(edits, line(t.At))
		case strings.Contains(t.What, "].aligned.") && strings.Count(t.What, ".") == 2:
			edits = append(edits, edit{int(t.At.Start), int(t.At.End), "this-change"})
		}
	}
	return apply(text, edits)
}
