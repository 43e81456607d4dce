package draft

import (
	"bytes"
	"path"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/tree"
)

// ownFile says what a file of no known format is that people or this program write for it, and that is no copy of a pool: a
// scenario, a report, the results of a drill, or a change order in a form in which it is not read. nil for any other file.
// What an address in such a file stands for is not what the pool should be.
func ownFile(docs []data.Document) *schema.Text {
	for _, doc := range docs {
		if doc.Root == nil || doc.Root.Kind != data.Map {
			continue
		}
		if why := own(doc.Root); why != nil {
			return why
		}
	}
	return nil
}

func own(root *data.Node) *schema.Text {
	say := func(en, zh string) *schema.Text { return &schema.Text{En: en, Zh: zh} }
	schemaName := ""
	if n := root.Get("schema"); n.Scalar() {
		schemaName = n.Text
	}
	switch {
	case root.Get("scenario").Scalar() && keys(root, "pool", "config", "duration", "warm", "traffic", "members", "events", "expect", "seeds") > 0:
		return say("a scenario, which poolproof dryrun FILE plays", "场景文件，用 poolproof dryrun 文件 演练")
	case strings.HasPrefix(schemaName, "poolproof/"):
		return say("a report of poolproof", "poolproof 的报告")
	case claims(root) || keys(root, "initiator", "effective", "items", "ramp", "approvals", "drill") > 2:
		return say("a change order is read from Markdown alone, as front matter between two lines of ---", "变更单只从 Markdown 文件读取，写在两行 --- 之间的前置块中")
	case results(root) || results(root.Get("drill")):
		return say("results of a drill; they belong into a change order, where poolproof change new writes them", "演练结果；应写在变更单中，由 poolproof change new 生成")
	}
	return nil
}

// claims reports whether a mapping calls itself a change order.
func claims(n *data.Node) bool {
	kind := n.Get("poolproof")
	return kind.Scalar() && strings.HasPrefix(kind.Text, "change-order")
}

// results reports whether a mapping holds the results of a drill, or a report of one.
func results(n *data.Node) bool {
	if n == nil || n.Kind != data.Map {
		return false
	}
	list := n.Get("results")
	if list == nil {
		list = n.Get("runs")
	}
	if list == nil || list.Kind != data.List || len(list.Items) == 0 || list.Items[0] == nil || list.Items[0].Kind != data.Map {
		return false
	}
	first := list.Items[0]
	return keys(first, "observed") == 1 && keys(first, "id", "pass") > 0 || keys(first, "expectations") == 1 && keys(first, "scenario", "pool") > 0
}

// keys counts which of some keys a mapping has.
func keys(n *data.Node, names ...string) int {
	k := 0
	for _, name := range names {
		if n.Pair(name) != nil {
			k++
		}
	}
	return k
}

// unsaidOrder says what is wrong with a change order that does not say what it is.
func unsaidOrder() schema.Text {
	return schema.Textf("a change order without the line poolproof: change-order/v1, so that it is not read as one", "变更单缺少 poolproof: change-order/v1 这一行，因此不作为变更单读取")
}

// maxFront is how much of a document is looked at for a change order that does not say what it is.
const maxFront = 64 << 10

// nearlyOrder reports whether a Markdown file has the front matter of a change order but for the line that says so.
func nearlyOrder(t tree.Tree, file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown":
	default:
		return false
	}
	text, err := t.Read(file)
	if err != nil {
		return false
	}
	text = bytes.ReplaceAll(text[:min(len(text), maxFront)], []byte("\r\n"), []byte("\n"))
	front, ok := bytes.CutPrefix(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("---\n"))
	if !ok {
		return false
	}
	front, _, ok = bytes.Cut(front, []byte("\n---\n"))
	if !ok {
		return false
	}
	for _, doc := range data.YAML(front).Documents {
		if doc.Root != nil && doc.Root.Kind == data.Map && doc.Root.Pair("poolproof") == nil &&
			keys(doc.Root, "initiator", "effective", "items", "ramp", "approvals", "drill") > 2 {
			return true
		}
	}
	return false
}
