// Package manifest reads the manifest: poolproof.cue, poolproof.yaml or poolproof.json at the root of a tree.
package manifest

import (
	"path"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/app/mapped"
	"github.com/poolproof/poolproof/sources/cuefile"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
	"github.com/poolproof/poolproof/sources/strict"
)

// Names lists the names that a manifest can have, the first that is there counts.
func Names() []string {
	return []string{"poolproof.cue", "poolproof.yaml", "poolproof.yml", "poolproof.json"}
}

// DefaultEvidence is how evidence is checked where the manifest does not say.
const DefaultEvidence = "reachable"

// Load reads a manifest. What the grammar refuses is reported and left out; the rest counts. Whether rules that it names
// exist, and whether exceptions say enough, is not judged here: the rules are known to package policy alone, which also
// reports what an exception lacks.
func Load(name string, text []byte) (schema.Manifest, []schema.Problem) {
	l := loader{file: strict.New().Settings(), manifest: schema.Manifest{File: name, Evidence: DefaultEvidence}}
	tree := decode(name, text)
	l.problems = tree.Problems
	var root *data.Node
	for _, d := range tree.Documents {
		switch {
		case d.Root == nil:
		case root == nil:
			root = d.Root
		default:
			l.report(d.At, schema.Textf("a second document: the manifest is one", "出现第二个文档：清单只能有一个文档"), schema.Textf("join the documents", "请合并文档"))
		}
	}
	if root == nil {
		if len(l.problems) == 0 {
			l.report(schema.At(0, 0), schema.Textf("the manifest is empty", "清单为空"), schema.Textf("write sources, or run poolproof init", "请写 sources，或运行 poolproof init"))
		}
		return l.manifest, l.problems
	}
	l.judge(root)
	l.root(root)
	for i := range l.manifest.Sources {
		if m := l.manifest.Sources[i].Map; m != nil {
			l.problems = append(l.problems, mapped.Validate(m)...)
		}
	}
	l.words(root)
	return l.manifest, l.problems
}

// words reports vocabulary for meanings that documents do not have.
func (l *loader) words(root *data.Node) {
	n := root.Get("vocabulary")
	if n == nil {
		return
	}
	known := vocabulary.Builtin()
	for i := range n.Pairs {
		if key := n.Pairs[i].Key; !known.Knows(key) {
			l.problems = append(l.problems, schema.Problem{
				Rule: judge.RuleUnknownKey, At: n.Pairs[i].KeyAt, Field: "vocabulary." + key, Got: key,
				Text: schema.Textf("vocabulary: %q is no meaning that documents have", "vocabulary：%q 不是文档中已有的含义", key),
				Hint: schema.Textf("write a word that documents already understand, such as Address or Cooldown, and the further words for it",
					"请写文档已能识别的词（如 地址、冷却时长），再列出它的其他写法"),
			})
		}
	}
}

func decode(name string, text []byte) data.File {
	switch path.Ext(name) {
	case ".cue":
		return cuefile.Parse(text)
	case ".json":
		return data.JSON(text)
	}
	return data.YAML(text)
}

type loader struct {
	file     *strict.File
	manifest schema.Manifest
	problems []schema.Problem
}

func (l *loader) report(at schema.Span, text, hint schema.Text) {
	l.problems = append(l.problems, schema.Problem{Rule: judge.RuleInvalid, At: at, Text: text, Hint: hint})
}

func (l *loader) judge(root *data.Node) {
	for _, i := range l.file.Check(judge.Manifest, root) {
		if i.Kind == judge.Missing && strings.HasPrefix(i.Path, "exceptions[") {
			continue // exception/incomplete names all that an exception lacks
		}
		l.problems = append(l.problems, i.Problem(schema.Textf("the manifest", "清单")))
	}
}

func (l *loader) root(n *data.Node) {
	m := &l.manifest
	for _, item := range l.list(n.Get("sources")) {
		if s, ok := l.source(item); ok {
			m.Sources = append(m.Sources, s)
		}
	}
	l.each(n.Get("pools"), func(p *data.Pair) {
		e := l.entry(p.Value)
		e.Name, e.NameAt, e.At = p.Key, p.KeyAt, schema.Join(p.KeyAt, p.Value.Place())
		m.Pools = append(m.Pools, e)
	})
	sortPools(m.Pools)
	if d := n.Get("defaults"); l.file.Usable(d) {
		m.Defaults = l.entry(d)
		m.Defaults.At = d.Place()
	}
	l.each(n.Get("vars"), func(p *data.Pair) { put(&m.Vars, p.Key, p.Value.Text) })
	l.each(n.Get("aliases"), l.alias)
	m.Severity = l.severity(n.Get("severity"))
	if e := l.text(n.Get("evidence")); e != "" {
		m.Evidence = e
	}
	for _, item := range l.list(n.Get("live")) {
		if g, ok := l.live(item); ok {
			m.Live = append(m.Live, g)
		}
	}
	if a := n.Get("alerts"); l.file.Usable(a) {
		m.Alerts = l.alerts(a)
	}
	l.each(n.Get("vocabulary"), func(p *data.Pair) { put(&m.Vocabulary, p.Key, l.texts(p.Value)) })
	for _, item := range l.list(n.Get("exceptions")) {
		if e, ok := l.file.Exception(item, func(p schema.Problem) { l.problems = append(l.problems, p) }); ok {
			e.File = m.File
			m.Exceptions = append(m.Exceptions, e)
		}
	}
}

// alias keeps a host name and the addresses that it stands for, all in normal form.
func (l *loader) alias(p *data.Pair) {
	name, ok := schema.NormalHost(p.Key)
	if !ok {
		l.notHost(p.KeyAt, p.Key)
		return
	}
	var hosts []string
	for _, n := range l.oneOrMore(p.Value) {
		host, ok := schema.NormalHost(n.Text)
		if !ok {
			l.notHost(n.Place(), n.Text)
			continue
		}
		hosts = append(hosts, host)
	}
	put(&l.manifest.Aliases, name, hosts)
	l.manifest.AliasesAt = append(l.manifest.AliasesAt, schema.Written{Text: name, At: p.KeyAt})
}

func (l *loader) notHost(at schema.Span, text string) {
	l.report(at, schema.Textf("aliases: %q is neither a host name nor an address", "aliases：%q 既不是主机名也不是地址", text), schema.Text{})
}

func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}
