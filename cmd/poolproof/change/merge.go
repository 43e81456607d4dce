package change

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// wrong is why an order cannot be written, in both languages.
type wrong struct{ schema.Text }

// Error implements error.
func (w *wrong) Error() string { return w.En }

func noOrder() error {
	return &wrong{schema.Textf("it has no front matter of a change order that can be read", "其中没有可读取的变更单前置块")}
}

func flow() error {
	return &wrong{schema.Textf("what is to be written anew stands in { }; write each key on a line of its own", "需要更新的部分写在 { } 中；请每个键各占一行")}
}

func lost() error {
	return &wrong{schema.Textf("what was written cannot be read again: anchors, tags or text of several lines stand where keys are generated", "写出的内容无法再次读取：生成的键中含有锚点、标签或多行文本")}
}

// Known is what people said in an order.
type Known struct {
	// ID, Initiator and Effective are empty where they are still to be filled in.
	ID, Initiator, Effective string
	// Ramps are the pools whose ramp the order freezes.
	Ramps []string
}

// Read returns what an order says already. The error says why it cannot be brought up to date.
func Read(text []byte) (Known, error) {
	f, err := readFront(text)
	if err != nil {
		return Known{}, err
	}
	said := func(key string) string {
		if n := f.root.Get(key); n != nil && n.Kind == data.String && !open(n) {
			return n.Text
		}
		return ""
	}
	k := Known{ID: said("id"), Initiator: said("initiator"), Effective: said("effective")}
	if n := f.root.Get("id"); n != nil && !open(n) {
		k.ID = n.Text
	}
	if n := f.root.Get("ramp"); n != nil {
		for i := range n.Pairs {
			k.Ramps = append(k.Ramps, n.Pairs[i].Key)
		}
	}
	return k, nil
}

// edit puts a text in the place of text[start:end].
type edit struct {
	start, end int
	text       string
}

func apply(text []byte, list []edit) []byte {
	slices.SortStableFunc(list, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var out []byte
	at := 0
	for _, e := range list {
		out = append(append(out, text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}

// extent is the lines of a key: from the line that it starts to the line in which its value ends, and the comments below
// that are indented.
func extent(text []byte, f *front, p *data.Pair) (start, end int) {
	start = max(f.start, bytes.LastIndexByte(text[:p.KeyAt.Start], '\n')+1)
	last := int(p.KeyAt.End)
	if p.Value != nil && int(p.Value.At.End) > last && !p.Value.Alias.Known() {
		last = int(p.Value.At.End)
	}
	if last > start && last <= f.end && text[last-1] == '\n' {
		last-- // a block scalar ends with its line
	}
	_, end = lineAt(text, min(last, f.end))
	for end < f.end {
		line, next := lineAt(text, end)
		if c := bytes.TrimLeft(line, " \t"); len(c) == len(line) || c[0] != '#' {
			break
		}
		end = next
	}
	return start, min(end, f.end)
}

// generated reports whether a key of the front matter is written anew each time.
func generated(key string) bool { return key == "pools" || key == "items" || key == "drill" }

// merge brings the front matter of a text up to date.
func (o *Order) merge(text []byte) ([]byte, error) {
	f, err := readFront(text)
	if err != nil {
		return nil, err
	}
	if int(f.root.At.Start) < len(text) && text[f.root.At.Start] == '{' {
		return nil, flow()
	}
	if known, _ := Read(text); known.ID != "" && known.ID != o.ID {
		return nil, &wrong{schema.Textf("it is another change order, %q", "它是另一份变更单 %q", known.ID)}
	}
	old := keep(text, f)
	var edits []edit
	after := f.start // where what is missing goes
	for _, key := range keys {
		p := f.root.Pair(key)
		if p == nil {
			if s := o.block(key, old); s != "" && key != "exceptions" {
				edits = append(edits, edit{after, after, s})
			}
			continue
		}
		start, end := extent(text, f, p)
		after = end
		switch {
		case generated(key):
			edits = append(edits, edit{start, end, o.renewed(key, old, text, start, end)})
		case key == "ramp":
			more, err := o.refreeze(text, f, p, end)
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
		case key == "initiator" && o.Initiator != "" || key == "effective" && o.Effective != "" || key == "id":
			if v := p.Value; v == nil || open(v) {
				edits = append(edits, edit{start, end, o.block(key, old)})
			}
		}
	}
	if bytes.HasSuffix(text[:f.start], []byte("\r\n")) {
		for i := range edits {
			edits[i].text = strings.ReplaceAll(edits[i].text, "\n", "\r\n")
		}
	}
	return apply(text, edits), nil
}

// refreeze adds the ramps that the order lacks and replaces those that are frozen anew.
func (o *Order) refreeze(text []byte, f *front, p *data.Pair, end int) ([]edit, error) {
	if len(o.Ramps) == 0 {
		return nil, nil
	}
	if p.Value == nil || len(p.Value.Pairs) == 0 {
		start, _ := extent(text, f, p)
		return []edit{{start, end, o.block("ramp", nil)}}, nil
	}
	if text[p.Value.At.Start] == '{' {
		return nil, flow()
	}
	first := int(p.Value.Pairs[0].KeyAt.Start)
	indent := string(text[bytes.LastIndexByte(text[:first], '\n')+1 : first])
	if strings.Trim(indent, " ") != "" {
		return nil, flow()
	}
	var edits []edit
	for i := range o.Ramps {
		r := &o.Ramps[i]
		at := slices.IndexFunc(p.Value.Pairs, func(x data.Pair) bool { return reconcile.Key(x.Key) == reconcile.Key(r.Pool) })
		switch {
		case at < 0:
			edits = append(edits, edit{end, end, o.rampOf(r, indent)})
		case r.Anew:
			own := *r
			own.Pool = p.Value.Pairs[at].Key
			start, stop := extent(text, f, &p.Value.Pairs[at])
			edits = append(edits, edit{start, stop, o.rampOf(&own, indent)})
		}
	}
	return edits, nil
}
