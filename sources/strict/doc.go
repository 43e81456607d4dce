// Package strict reads documents in poolproof's own grammar: it takes templates and hazards out, lets package judge
// decide over the rest, and turns what is accepted into values. Native pool files, change orders and the manifest share
// it.
package strict

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// tree shows a node to package judge. It is as small as a pointer, so that showing one allocates nothing.
type tree struct{ node *data.Node }

// Tree returns a node as package judge wants it.
func Tree(n *data.Node) judge.Tree { return tree{n} }

func (t tree) Kind() judge.Kind { return judge.Kind(t.node.Kind) }
func (t tree) Text() string     { return t.node.Text }
func (t tree) At() schema.Span  { return t.node.Place() }

func (t tree) Len() int {
	if t.node.Kind == data.Map {
		return len(t.node.Pairs)
	}
	return len(t.node.Items)
}

func (t tree) Key(i int) (string, schema.Span) {
	p := &t.node.Pairs[i]
	return p.Key, p.KeyAt
}

func (t tree) Child(i int) judge.Tree {
	if t.node.Kind == data.Map {
		return tree{t.node.Pairs[i].Value}
	}
	return tree{t.node.Items[i]}
}

// nodeOf returns the node that a tree shows, nil for none.
func nodeOf(t judge.Tree) *data.Node {
	if t, ok := t.(tree); ok {
		return t.node
	}
	return nil
}

// Syntax is the marks of templates and placeholders in poolproof's own files: ${NAME}, {{ }}, {% %} and <% %>.
const Syntax = bind.Common

// fate is why a value is not bound as it stands.
type fate uint8

const (
	// template: the value is known only when the file is rendered.
	template fate = iota + 1
	// hazard: readers type the scalar differently.
	hazard
	// refused: the grammar does not accept the value.
	refused
	// wide: full-width characters were read as ASCII.
	wide
	// given: a placeholder was filled in.
	given
	// warned: the value counts, and deserves a warning.
	warned
)

// mark is the fate of one node.
type mark struct {
	fate fate
	raw  string         // the text before it was filled in or folded
	was  schema.Problem // of a hazard
}

// Reader reads files in poolproof's own grammar. It keeps nothing of them and is safe for concurrent use.
type Reader struct {
	judge *judge.Judge
	items []group
}

// New returns a reader.
func New() *Reader { return &Reader{judge: judge.New(), items: groups()} }

// File is one file in poolproof's own grammar.
type File struct {
	reader *Reader
	// marks is nil in a file without anything special.
	marks map[*data.Node]mark
	state func(judge.Tree) judge.State
	// reviews is how many values of the file CUE may still judge by themselves.
	reviews int
}

// maxReviews bounds what a file of nothing but bad pools or orders costs.
const maxReviews = 1000

// File returns what reads one file whose values feed the model: templates and hazards are taken out before it is judged.
func (r *Reader) File() *File {
	f := &File{reader: r, reviews: maxReviews}
	f.state = f.stateOf
	return f
}

// Settings returns what reads one file of settings for poolproof itself, in which every value is taken as it stands.
func (r *Reader) Settings() *File { return &File{reader: r, reviews: maxReviews} }

func (f *File) mark(n *data.Node, m mark) {
	if f.marks == nil {
		f.marks = map[*data.Node]mark{}
	}
	f.marks[n] = m
}

// markOf returns the mark of a node, the zero mark for most.
func (f *File) markOf(n *data.Node) mark {
	if f.marks == nil {
		return mark{}
	}
	return f.marks[n]
}

// grammarWord is a word of the grammar that older YAML readers take for false; poolproof's own files are not theirs.
const grammarWord = "off"

// stateOf tells package judge which values are not as they stand. It looks for hazards on the way.
func (f *File) stateOf(t judge.Tree) judge.State {
	n := nodeOf(t)
	if f.marks != nil {
		switch f.marks[n].fate {
		case template, hazard:
			return judge.Cut
		case wide, given:
			return judge.Filled
		}
	}
	if n.Style == data.Plain && n.Kind < data.Map && n.Kind != data.Null && n.Text != grammarWord && !decimal(n.Text) {
		if p, bad := data.Hazard(n); bad {
			p.At = n.Place()
			if p.Severity != schema.Warning {
				f.mark(n, mark{fate: hazard, was: p})
				return judge.Cut
			}
			f.mark(n, mark{fate: warned, was: p})
		}
	}
	return judge.Written
}

// Usable reports whether the value of n is there and was accepted.
func (f *File) Usable(n *data.Node) bool {
	if n == nil {
		return false
	}
	switch f.markOf(n).fate {
	case template, hazard, refused:
		return false
	}
	return true
}

// decimal reports whether a text is a whole number that every reader takes for the same: digits without a leading zero.
func decimal(s string) bool {
	if s == "" || s[0] == '0' {
		return s == "0"
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Text returns a scalar's text as people wrote it, before full-width characters were folded; empty for what is not usable.
func (f *File) Text(n *data.Node) string {
	if !f.Usable(n) || !n.Scalar() {
		return ""
	}
	if m := f.markOf(n); m.fate == wide {
		return m.raw
	}
	return n.Text
}

// Taken returns what was taken out of the document at doc before the judging, in file order: problems of hazards, and of
// templates in a file that may not hold any.
func (f *File) Taken(doc schema.Span) []schema.Problem {
	var out []schema.Problem
	for n, m := range f.marks {
		if n.At.Start < doc.Start || n.At.End > doc.End {
			continue
		}
		switch m.fate {
		case hazard:
			out = append(out, m.was)
		case template:
			out = append(out, schema.Problem{Rule: judge.RuleInvalid, At: n.Place(), Got: clip(m.raw),
				Text: schema.Textf("%q is a template; here the value itself has to stand", "%q 是模板；此处须写实际的值", clip(m.raw)),
				Hint: schema.Textf("write the value", "请写出实际的值")})
		}
	}
	slices.SortFunc(out, func(a, b schema.Problem) int { return cmp.Compare(a.At.Start, b.At.Start) })
	return out
}

// Check judges a document and returns the issues. Values that it refuses are not bound afterwards. Of very many issues
// the last one only says how many more there are.
func (f *File) Check(d judge.Def, doc *data.Node) []judge.Issue {
	issues := f.reader.judge.CheckWithin(d, tree{doc}, f.state, &f.reviews)
	kept, more := issues[:0], 0
	for _, i := range issues {
		n := nodeOf(i.Node)
		if i.Kind == judge.Missing {
			// Template lines may bring the key.
			if n != nil && n.Partial {
				continue
			}
		} else if i.Kind != judge.UnknownKey && i.Kind != judge.BadKey && n != nil {
			f.mark(n, mark{fate: refused})
		}
		if i.Brief {
			more++
			continue
		}
		kept = append(kept, i)
	}
	if more > 0 {
		kept = append(kept, judge.Issue{Kind: judge.More, Count: more, At: doc.Place(), Node: tree{doc}})
	}
	return kept
}

// CheckRoot judges a native file apart from what stands in its pools, which Pool judges one by one.
func (f *File) CheckRoot(root *data.Node) []judge.Issue {
	pools := map[*data.Node]bool{}
	if all := root.Get("pools"); all != nil {
		for i := range all.Pairs {
			pools[all.Pairs[i].Value] = true
		}
	}
	outer := f.state
	defer func() { f.state = outer }()
	f.state = func(t judge.Tree) judge.State {
		if pools[nodeOf(t)] {
			return judge.Cut
		}
		return f.stateOf(t)
	}
	return f.Check(judge.NativeFile, root)
}
