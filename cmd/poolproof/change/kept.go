package change

import (
	"bytes"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/sources/data"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// kept is what people wrote into the items of an order.
type kept struct {
	items []*item
	// rest are comments behind the last item.
	rest []string
}

// item is what people wrote into one.
type item struct {
	pool, name string
	taken      bool
	// aligned are the lines of the sides for which they named a commit, by side.
	aligned map[string]string
	// remarks are the comments before the item and in it.
	remarks []string
}

// keep reads the items of an order.
func keep(text []byte, f *front) *kept {
	k := &kept{}
	pair := f.root.Pair("items")
	if pair == nil || pair.Value == nil {
		return k
	}
	at := int(pair.KeyAt.End)
	for _, n := range pair.Value.Items {
		i := &item{pool: textOf(n.Get("pool")), name: textOf(n.Get("item")), aligned: map[string]string{}}
		if sides := n.Get("aligned"); sides != nil {
			for p := range sides.Pairs {
				if v := sides.Pairs[p].Value; v != nil && v.Kind == data.Map {
					i.aligned[sides.Pairs[p].Key] = where(text, f, v)
				}
			}
		}
		end := min(int(n.At.End), f.end)
		if end > 0 && text[end-1] != '\n' {
			_, end = lineAt(text, end)
			end = min(end, f.end)
		}
		own := ownLine(text, n.Get("aligned"))
		i.remarks = comments(text, at, end, func(line int) bool { return own[line] })
		at = max(at, end)
		k.items = append(k.items, i)
	}
	_, end := extent(text, f, pair)
	k.rest = comments(text, at, end, nil)
	return k
}

// where returns what stands for a side: the rest of its line where that holds it all, with the comment, else the entries on
// one line.
func where(text []byte, f *front, v *data.Node) string {
	if int(v.At.End) <= f.end && v.At.Start < v.At.End && text[v.At.Start] == '{' && !bytes.ContainsRune(text[v.At.Start:v.At.End], '\n') {
		line, _ := lineAt(text, int(v.At.Start))
		return string(line)
	}
	var parts []string
	for i := range v.Pairs {
		if x := v.Pairs[i].Value; x != nil {
			parts = append(parts, yamltext.Scalar(v.Pairs[i].Key)+": "+digestScalar(x.Text))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func textOf(n *data.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// take returns what people wrote into an item, once.
func (k *kept) take(of *Item) *item {
	if k != nil {
		at := slices.IndexFunc(k.items, func(i *item) bool {
			return !i.taken && i.name == of.Item && reconcile.Key(i.pool) == reconcile.Key(of.Pool)
		})
		if at >= 0 {
			k.items[at].taken = true
			return k.items[at]
		}
	}
	return &item{}
}

// leftover writes the comments that belong to no item any more.
func (k *kept) leftover() string {
	if k == nil {
		return ""
	}
	var b strings.Builder
	for _, i := range k.items {
		if !i.taken {
			for _, c := range i.remarks {
				b.WriteString("  " + c + "\n")
			}
		}
	}
	for _, c := range k.rest {
		b.WriteString("  " + c + "\n")
	}
	return b.String()
}
