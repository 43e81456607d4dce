package change

import (
	"bytes"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/order/changeorder"
)

// Render writes the order: anew where text is empty, else into the text of an earlier version, of which everything stays
// that was not generated. body is the template of the text for people; nil is the built-in one.
func (o *Order) Render(text []byte, body *Template) ([]byte, error) {
	if body == nil {
		var err error
		if body, err = builtin(o.Lang); err != nil {
			return nil, err
		}
	}
	if len(bytes.TrimSpace(text)) > 0 {
		return o.update(text, body)
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	for _, key := range keys {
		b.WriteString(o.block(key, nil))
	}
	b.WriteString("---\n")
	below, err := o.below(b.Bytes(), body)
	if err != nil {
		return nil, err
	}
	b.Write(below)
	return o.checked(b.Bytes())
}

// checked makes sure that what was written can be read again.
func (o *Order) checked(text []byte) ([]byte, error) {
	f, err := readFront(text)
	if err != nil {
		return nil, lost()
	}
	for _, key := range keys {
		if p := f.root.Pair(key); p == nil && o.block(key, nil) != "" && key != "ramp" {
			return nil, lost()
		}
	}
	return text, nil
}

// update brings an earlier version up to date.
func (o *Order) update(text []byte, body *Template) ([]byte, error) {
	text, err := o.merge(text)
	if err != nil {
		return nil, err
	}
	f, err := readFront(text)
	if err != nil {
		return nil, lost()
	}
	_, from := lineAt(text, f.end)
	below, err := o.below(text, body)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(text[from:])) == 0 {
		return o.checked(append(slices.Clip(text[:from]), below...))
	}
	fresh := map[string]section{}
	for _, s := range sections(below, 0) {
		fresh[s.name] = s
	}
	var edits []edit
	for _, s := range sections(text, from) {
		if now, ok := fresh[s.name]; ok {
			part := string(below[now.start:now.end])
			if content := strings.ReplaceAll(string(text[s.content.Start:s.content.End]), "\r\n", "\n"); s.edited(content) {
				for _, line := range added(content, string(below[now.content.Start:now.content.End]), s.hash == now.hash) {
					part += line + "\n"
				}
			}
			if bytes.HasSuffix(text[:f.start], []byte("\r\n")) {
				part = strings.ReplaceAll(part, "\n", "\r\n")
			}
			edits = append(edits, edit{s.start, s.end, part})
		}
	}
	return o.checked(apply(text, edits))
}

// below renders the text for people. What it says of the order is what the front matter says, which people may have edited.
func (o *Order) below(text []byte, body *Template) ([]byte, error) {
	v, err := o.view(text)
	if err != nil {
		return nil, err
	}
	return body.execute(v)
}

// read reads an order as ci does.
func read(text []byte) sources.Result {
	return changeorder.Adapter().Read(sources.Input{Path: "order.md", Data: text, Source: &schema.Source{Side: schema.Order}})
}

// RampDigests are the digests of the ramps that an order freezes, by pool. An order that the grammar refuses freezes none.
func RampDigests(text []byte) map[string]string {
	out := map[string]string{}
	r := read(text)
	for i := range r.Copies {
		if c := &r.Copies[i]; c.States(schema.Ramp) {
			out[c.Pool] = schema.Digest(c, schema.Ramp)
		}
	}
	return out
}

// Stale lists the generated sections of an order that are not what was generated for this change: it is another change by
// now, or somebody edited them.
func (o *Order) Stale(text []byte) []Open {
	f, err := readFront(text)
	if err != nil {
		return nil
	}
	facts := o.facts()
	var out []Open
	_, from := lineAt(text, f.end)
	for _, s := range sections(text, from) {
		content := strings.ReplaceAll(string(text[s.content.Start:s.content.End]), "\r\n", "\n")
		if s.hash != hash(facts, s.name, content) {
			line, _ := lineAt(text, s.start)
			out = append(out, Open{At: schema.At(s.start, s.start+len(line)), What: s.name})
		}
	}
	return out
}
