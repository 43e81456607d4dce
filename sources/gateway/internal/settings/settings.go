// Package settings records parts of a file that have no counterpart in the model as settings under their own names, so
// that inspect shows them.
package settings

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// Bounds on what one part may record.
const (
	maxDepth  = 10
	maxValues = 256
)

// Flatten sets every scalar below n at its path, written as prefix.key[index].key. Templates are recorded as unresolved.
// Empty mappings and lists are values too ("{}", "[]"): their presence may say something. Keys that hold secrets are
// left out.
func Flatten(b *bind.Binder, prefix schema.Path, n *data.Node) {
	f := flattener{b: b, left: maxValues}
	f.node(prefix, n, 0)
}

type flattener struct {
	b    *bind.Binder
	left int
}

func (f *flattener) node(p schema.Path, n *data.Node, depth int) {
	if n == nil || n.Kind == data.Null || depth > maxDepth || f.left <= 0 {
		return
	}
	switch n.Kind {
	case data.Map:
		if len(n.Pairs) == 0 {
			f.set(p, schema.TextOf("{}"), n)
		}
		name := n.Get("name") // {name: token, value: ...}
		hidden := name.Scalar() && secret(name.Text)
		for i := range n.Pairs {
			if pair := &n.Pairs[i]; !secret(pair.Key) && !(hidden && pair.Key == "value") {
				f.node(join(p, pair.Key), pair.Value, depth+1)
			}
		}
	case data.List:
		if len(n.Items) == 0 {
			f.set(p, schema.TextOf("[]"), n)
		}
		for i, item := range n.Items {
			f.node(p+schema.Path("["+strconv.Itoa(i)+"]"), item, depth+1)
		}
	default:
		f.scalar(p, n)
	}
}

func join(p schema.Path, key string) schema.Path {
	if p == "" {
		return schema.Path(key)
	}
	return p + "." + schema.Path(key)
}

func (f *flattener) set(p schema.Path, v schema.Value, n *data.Node) {
	f.left--
	// No path comes twice, so none need be searched for.
	f.b.Copy.Fields = append(f.b.Copy.Fields, schema.Field{Path: p, Value: v, At: n.Place()})
}

func (f *flattener) scalar(p schema.Path, n *data.Node) {
	if _, known := bind.Expand(n.Text, f.b.Vars, f.b.Syntax); !known {
		f.left--
		f.b.Copy.Unresolve(p, n.Text, n.Place())
		return
	}
	text, _ := bind.Expand(n.Text, f.b.Vars, f.b.Syntax)
	switch n.Kind {
	case data.Bool:
		f.set(p, schema.BoolOf(strings.EqualFold(text, "true")), n)
		return
	case data.Int:
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			f.set(p, schema.IntOf(i), n)
			return
		}
	case data.Float:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			f.set(p, schema.NumberOf(x), n)
			return
		}
	}
	f.set(p, schema.TextOf(text), n)
}

// secret reports whether a key's name says that its value must not be shown.
func secret(key string) bool {
	key = strings.ToLower(key)
	for _, word := range [...]string{"password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "credential", "authorization", "auth", "private"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return key == "key" || key == "cert"
}
