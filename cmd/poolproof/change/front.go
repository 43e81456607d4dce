package change

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// keys are those of the front matter, in the order in which they are written.
var keys = [...]string{"poolproof", "id", "pools", "initiator", "effective", "items", "ramp", "drill", "approvals", "exceptions"}

// block writes one key of the front matter with its value; nothing for what the order does not have. old holds what people
// wrote into an earlier version.
func (o *Order) block(key string, old *kept) string {
	open := func(key, value, en, zh string) string {
		if value != "" {
			return key + ": " + value + "\n"
		}
		return key + ": TODO " + remark(o.say(en, zh)) + "\n"
	}
	switch key {
	case "poolproof":
		return "poolproof: change-order/v1\n"
	case "id":
		return "id: " + yamltext.Scalar(o.ID) + "\n"
	case "pools":
		return "pools: " + list(o.Pools) + "\n"
	case "initiator":
		// A text of any kind would do for the grammar, which has to refuse what is not filled in yet.
		if o.Initiator == "" {
			return "initiator: " + remark(o.say("TODO: who starts this change", "TODO：由谁发起本次变更")) + "\n"
		}
		return "initiator: " + yamltext.Scalar(o.Initiator) + "\n"
	case "effective":
		return open(key, o.Effective, "when it takes effect: 2026-01-31T02:00:00+08:00", "何时生效：2026-01-31T02:00:00+08:00")
	case "items":
		return o.items(old)
	case "ramp":
		if len(o.Ramps) == 0 {
			return ""
		}
		var b strings.Builder
		b.WriteString("ramp:\n")
		for i := range o.Ramps {
			b.WriteString(o.rampOf(&o.Ramps[i], "  "))
		}
		return b.String()
	case "drill":
		return o.drill()
	case "approvals":
		return "approvals: [] " + remark(o.say("a reviewer adds {by: NAME, at: TIME, digest: DIGEST}; poolproof change verify prints the digest",
			"评审人添加 {by: 姓名, at: 时间, digest: 摘要}；摘要由 poolproof change verify 给出")) + "\n"
	}
	return ""
}

// rampOf writes the entry of a pool below ramp.
func (o *Order) rampOf(r *Ramp, indent string) string {
	return indent + yamltext.Scalar(r.Pool) + ":\n" + o.ramp(r.Copy, indent+"  ")
}

// sides are those that items speak of, in the order of the source-of-truth table.
func sides() []schema.Side {
	return []schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order}
}

func (o *Order) items(old *kept) string {
	if len(o.Items) == 0 {
		return "items: []\n" + old.leftover()
	}
	var b strings.Builder
	b.WriteString("items:\n")
	for n := range o.Items {
		i := &o.Items[n]
		mine := old.take(i)
		for _, c := range mine.remarks {
			b.WriteString("  " + c + "\n")
		}
		fmt.Fprintf(&b, "  - pool: %s\n    item: %s\n", yamltext.Scalar(i.Pool), yamltext.Scalar(i.Item))
		if len(i.Before) > 0 {
			b.WriteString("    before:\n")
			for _, side := range sides() {
				if d := i.Before[side]; d != "" {
					fmt.Fprintf(&b, "      %s: %s\n", side, digestScalar(d))
				}
			}
		}
		if i.After != "" {
			b.WriteString("    after: " + digestScalar(i.After) + "\n")
		}
		b.WriteString(o.aligned(i, mine))
	}
	b.WriteString(old.leftover())
	return b.String()
}

// aligned writes how the other sides follow. What people wrote about a side stays.
func (o *Order) aligned(i *Item, mine *item) string {
	var b strings.Builder
	for _, side := range sides() {
		line := mine.aligned[string(side)]
		file, owed := i.Owed[side]
		switch {
		case line != "":
		case owed:
			if file == "" {
				file = o.say("the copy", "该副本")
			}
			line = "TODO " + remark(fmt.Sprintf(o.say("owed: this-change once %s follows, or where it was aligned: {repo: ..., commit: ..., file: ..., digest: ...}",
				"尚欠：%s 跟随后写 this-change，或写明在何处对齐：{repo: ..., commit: ..., file: ..., digest: ...}"), file))
		case has(i.Aligned, side):
			line = "this-change"
		default:
			continue
		}
		fmt.Fprintf(&b, "      %s: %s\n", side, line)
	}
	if b.Len() == 0 {
		return ""
	}
	return "    aligned:\n" + b.String()
}

func has(list []schema.Side, side schema.Side) bool {
	for _, s := range list {
		if s == side {
			return true
		}
	}
	return false
}

func (o *Order) drill() string {
	d := o.Drill
	if d == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "drill:\n  command: %s\n  tool: %s\n  seeds: %s\n  config: %s\n  results:\n", yamltext.Quote(d.Command), yamltext.Quote(d.Tool), strconv.Itoa(d.Seeds), digestScalar(d.Config))
	for _, r := range d.Results {
		fmt.Fprintf(&b, "    - {id: %s, pass: %s, observed: %s}\n", yamltext.Scalar(r.ID), r.Pass, yamltext.Quote(r.Observed))
	}
	return b.String()
}

// front is the front matter of a file: text[start:end] stands between its --- lines.
type front struct {
	start, end int
	root       *data.Node
}

// readFront finds the front matter of an order.
func readFront(text []byte) (*front, error) {
	start := len(text) - len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	f := &front{end: -1}
	for at := start; at < len(text); {
		line, next := lineAt(text, at)
		switch mark := string(line); {
		case at == start && mark != "---":
			return nil, noOrder()
		case at == start:
			f.start = next
		case mark == "---" || mark == "...":
			f.end = at
		}
		if f.end >= 0 {
			break
		}
		at = next
	}
	if f.end < 0 {
		return nil, noOrder()
	}
	tree := data.YAML(text[:f.end])
	for _, d := range tree.Documents {
		if d.Root != nil && d.Root.Kind == data.Map && f.root == nil {
			f.root = d.Root
		}
	}
	if f.root == nil || f.root.Get("poolproof") == nil {
		return nil, noOrder()
	}
	for _, p := range tree.Problems {
		if p.Rule == "source/syntax" {
			return nil, noOrder()
		}
	}
	return f, nil
}

// lineAt returns the line at a position without its end and trailing blanks, and where the next one starts.
func lineAt(text []byte, at int) (line []byte, next int) {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return bytes.TrimRight(text[at:at+n], " \t\r"), at + n + 1
	}
	return bytes.TrimRight(text[at:], " \t\r"), len(text)
}
