package dryrun

import (
	"path"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/cuefile"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// Read reads a scenario in YAML, JSON or CUE, by the name's extension. ok is false if it cannot be played; the problems
// say why, each at its place.
func Read(name string, text []byte) (s *Scenario, problems []schema.Problem, ok bool) {
	r := reader{file: strict.New().Settings()}
	var tree data.File
	switch path.Ext(name) {
	case ".cue":
		tree = cuefile.Parse(text)
	case ".json":
		tree = data.JSON(text)
	default:
		tree = data.YAML(text)
	}
	r.problems = tree.Problems
	var root *data.Node
	for _, d := range tree.Documents {
		switch {
		case d.Root == nil:
		case root == nil:
			root = d.Root
		default:
			r.invalid(d.At, schema.Textf("a second document: a scenario file holds one scenario", "出现第二个文档：一个场景文件只含一个场景"), schema.Textf("put it into a file of its own", "请放入单独的文件"))
		}
	}
	if root == nil {
		if len(r.problems) == 0 {
			r.invalid(schema.At(0, 0), schema.Textf("the scenario is empty", "场景为空"), schema.Textf("write scenario: and what happens", "请写 scenario: 以及发生的事"))
		}
		return nil, r.problems, false
	}
	for _, i := range r.file.Check(judge.Scenario, root) {
		r.problems = append(r.problems, i.Problem(schema.Textf("the scenario", "场景")))
	}
	s = r.scenario(root)
	check(s, &r)
	for _, p := range r.problems {
		if p.Severity != schema.Warning && p.Severity != schema.Info {
			return s, r.problems, false
		}
	}
	return s, r.problems, true
}

// reader turns a judged document into a scenario. What was refused stays unsaid.
type reader struct {
	file     *strict.File
	problems []schema.Problem
}

// ruleInvalid is the rule of everything that a scenario gets wrong.
const ruleInvalid = judge.RuleInvalid

func (r *reader) invalid(at schema.Span, text, hint schema.Text) {
	r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, At: at, Text: text, Hint: hint})
}

func (r *reader) warn(at schema.Span, text, hint schema.Text) {
	r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, Severity: schema.Warning, At: at, Text: text, Hint: hint})
}

func (r *reader) text(n *data.Node) string { return r.file.Text(n) }

func (r *reader) duration(n *data.Node, def time.Duration) time.Duration {
	if !r.file.Usable(n) || !n.Scalar() {
		return def
	}
	d, err := schema.ParseDuration(n.Text)
	if err != nil {
		r.invalid(n.Place(), schema.Textf("%q is no length of time", "%q 不是时长", n.Text), schema.Textf("write it as in 30s", "请写成 30s 的形式"))
		return def
	}
	return d
}

func (r *reader) number(n *data.Node, def float64) float64 {
	if r.file.Usable(n) && n.Scalar() {
		if f, ok := strict.ParseNumber(n.Text); ok {
			return f
		}
	}
	return def
}

func (r *reader) int(n *data.Node, def int) int {
	const most = 1 << 31
	if r.file.Usable(n) && n.Scalar() {
		if i, ok := strict.ParseInt(n.Text); ok {
			return int(max(-most, min(i, most)))
		}
	}
	return def
}

func (r *reader) flag(n *data.Node) bool {
	return r.file.Usable(n) && (n.Kind == data.Bool) && (n.Text[0] == 't' || n.Text[0] == 'T')
}

func (r *reader) texts(n *data.Node) []string {
	if !r.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	list := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if r.file.Usable(item) {
			list = append(list, r.text(item))
		}
	}
	return list
}

// items returns the usable entries of a list.
func (r *reader) items(n *data.Node) []*data.Node {
	if !r.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	var list []*data.Node
	for _, item := range n.Items {
		if item.Kind == data.Map {
			list = append(list, item)
		}
	}
	return list
}

func place(n *data.Node) schema.Span {
	if n == nil {
		return schema.Span{}
	}
	return n.Place()
}
