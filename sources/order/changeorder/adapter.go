// Package changeorder reads change orders: the front matter of a Markdown file, or fenced blocks in a text such as that of
// a pull request. An order that the grammar accepts also gives one copy for each ramp that it freezes.
package changeorder

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// Name is the format's name in manifests.
const Name = "change-order"

// Adapter returns the reader of change orders.
func Adapter() sources.Adapter {
	r := strict.New()
	return sources.Adapter{
		Name:    Name,
		Sides:   []schema.Side{schema.Order},
		Version: 2,
		Detect:  detect,
		Read:    func(in sources.Input) sources.Result { return read(r, in) },
	}
}

func detect(_ string, text []byte) sources.Confidence {
	const sniffed = 64 << 10
	b, ok := find(text[:min(len(text), sniffed)])
	if !ok || !b.claims(text) {
		return sources.Unlikely
	}
	return sources.Certain
}

func read(r *strict.Reader, in sources.Input) sources.Result {
	var result sources.Result
	b, ok := find(in.Data)
	if !ok {
		result.Report(skipped())
		return result
	}
	tree := data.YAML(b.masked(in.Data))
	f := r.File()
	f.Prepare(in.Data, tree.Documents, nil)
	found := false
	for _, d := range tree.Documents {
		if d.Root == nil || !isOrder(d.Root) {
			continue
		}
		found = true
		o := reader{file: f, in: in, result: &result}
		o.order(d)
	}
	switch {
	case found || b.claims(in.Data):
		result.Problems = append(result.Problems, tree.Problems...)
		if !found {
			// It calls itself an order and cannot be read.
			result.Orders = append(result.Orders, schema.ChangeOrder{File: in.Path, At: b.span()})
		}
	default:
		result.Report(skipped())
	}
	return result
}

func skipped() schema.Problem {
	return schema.Problem{Rule: "source/skipped", At: schema.At(0, 0),
		Text: schema.Textf("the file holds no change order", "文件中没有变更单"),
		Hint: schema.Textf("a change order is front matter between --- lines that starts with poolproof: change-order/v1; exclude other files from the source", "变更单是以 poolproof: change-order/v1 开头、位于 --- 之间的前置块；请在来源中排除其他文件")}
}

// orderKeys are keys that only a change order has, for one that forgot to say what it is.
func orderKeys() []string {
	return []string{"initiator", "effective", "items", "ramp", "approvals", "drill"}
}

// isOrder reports whether a document is meant to be a change order. Front matter of other tools has a title and a date.
func isOrder(root *data.Node) bool {
	if root.Pair("poolproof") != nil {
		return true
	}
	n := 0
	for _, k := range orderKeys() {
		if root.Pair(k) != nil {
			n++
		}
	}
	return n >= 3
}
