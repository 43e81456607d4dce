package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
)

// syntax lists the placeholders and templates that NGINX files are made from. ${NAME} and $NAME are envsubst's where no
// variable of NGINX can stand.
const syntax = bind.Braces | bind.Dollar | bind.DollarBare | bind.DashDefault | bind.At

// file is what the reader collects before it makes copies.
type file struct {
	in      sources.Input
	edition edition
	src     string
	result  sources.Result

	upstreams []*upstream
	defined   map[string]*upstream  // by context and name in lower case
	matches   map[string]*directive // match blocks of NGINX Plus, by name
	uses      []*use
	checks    []check
	workers   *directive // worker_processes
}

// upstream is a block that defines a pool. Several blocks of one name, of which a template keeps one, count as one.
type upstream struct {
	blocks  []*directive
	name    string // as NGINX sees it
	nameAt  schema.Span
	context string // "http", "stream", or empty at the top of a fragment
	scope   *scope // of the first block
	uses    []*use
}

// check is a health_check and the block that holds it.
type check struct {
	d     *directive
	scope *scope
}

// read is the adapter's Read.
func read(in sources.Input) sources.Result {
	f := &file{in: in, edition: editionOf(in.Source.Profile), src: string(in.Data), defined: map[string]*upstream{}, matches: map[string]*directive{}}
	if strings.HasPrefix(f.src, byteOrderMark) {
		f.result.Report(schema.Problem{
			Rule: "source/scalar-hazard", Severity: schema.Warning, At: schema.At(0, len(byteOrderMark)),
			Text: schema.Textf("the file starts with a byte-order mark; NGINX takes it for a part of the first word and refuses the file", "文件以字节顺序标记（BOM）开头；NGINX 会把它当作第一个词的一部分并拒绝该文件"),
			Hint: schema.Textf("save the file as UTF-8 without a byte-order mark", "请保存为不带 BOM 的 UTF-8"),
		})
	}
	root, s := parse(f.src)
	for _, p := range s.problems {
		f.result.Report(p.Problem)
	}
	f.walk(root, &scope{kind: "main"})
	f.settle()
	f.link()
	f.result.Copies = make([]schema.Copy, 0, len(f.upstreams))
	for _, up := range f.upstreams {
		f.copyUpstream(up)
	}
	f.implicit()
	f.looseChecks()
	return f.result
}

// walk collects upstreams, matches, and the places that use pools. An upstream in a place where NGINX allows none still
// counts: a brace is missing above it.
func (f *file) walk(ds []directive, at *scope) {
	ds = split(ds, inPlace, f.result.Report)
	for i := range ds {
		if first := at.note(&ds[i]); first != nil {
			f.again(&ds[i], first)
		}
	}
	for i := range ds {
		d := &ds[i]
		name := d.name.text
		family, passing := passes(name)
		at.passes = at.passes || passing
		switch {
		case name == "upstream" && d.block:
			f.define(d, at)
		case name == "match" && d.block && len(d.args) == 1:
			f.matches[d.args[0].text] = d
		case passing && len(d.args) > 0 && !d.block:
			f.use(d, at, family)
		case name == "worker_processes" && at.parent == nil && len(d.args) == 1:
			f.workers = d
		case name == "health_check":
			f.checks = append(f.checks, check{d, at})
		case d.block:
			f.walk(d.body, &scope{parent: at, kind: name, d: d})
		}
	}
}

// again reports a directive that NGINX refuses to see twice in one block. A template may keep one of the two.
func (f *file) again(d, first *directive) {
	if d.maybe || first.maybe || !single(d.name.text) {
		return
	}
	f.result.Report(schema.Problem{
		Rule: "source/duplicate-key", At: d.head(), Field: strings.Clone(d.name.text),
		Text:    schema.Textf("%s stands twice in one block; NGINX refuses the file, and the last one counts here", "同一个块中 %s 出现了两次；NGINX 会拒绝该文件，此处以最后一个为准", d.name.text),
		Hint:    schema.Textf("keep one of them", "只保留一个"),
		Related: []schema.Note{{At: first.head(), Label: schema.Textf("the first one", "第一处")}},
	})
}

func (f *file) define(d *directive, at *scope) {
	if len(d.args) != 1 {
		f.result.Report(schema.Problem{
			Rule: "schema/invalid", At: d.head(), Text: schema.Textf("NGINX wants exactly one name after upstream, here are %d", "NGINX 要求 upstream 之后恰好一个名称，这里有 %d 个", len(d.args)),
			Hint: schema.Textf("write upstream NAME { ... }", "请写成 upstream 名称 { ... }"),
		})
		if len(d.args) == 0 {
			return
		}
	}
	arg := d.args[0]
	name, ok := bind.Expand(arg.text, f.in.Vars, syntax)
	if !ok || name == "" {
		f.result.Report(schema.Problem{
			Rule: "source/unresolved", At: arg.span(), Got: strings.Clone(arg.text),
			Text: schema.Textf("the upstream's name is a template: %s; it gives no copy", "upstream 的名称是模板：%s；不产生副本", clip(arg.text)),
			Hint: schema.Textf("give the value under vars in the manifest", "在清单的 vars 中给出该值"),
		})
		return
	}
	context := at.context()
	key := context + " " + strings.ToLower(name)
	if up := f.defined[key]; up != nil {
		if first := up.blocks[0]; first.maybe && d.maybe {
			up.blocks = append(up.blocks, d)
			return
		}
		f.result.Report(schema.Problem{
			Rule: "source/duplicate-key", At: arg.span(), Pool: strings.Clone(name),
			Text:    schema.Textf("a second upstream is called %q; NGINX refuses the file, and the last one counts here", "有第二个名为 %q 的 upstream；NGINX 会拒绝该文件，此处以最后一个为准", name),
			Hint:    schema.Textf("rename one of them, or join them", "将其中一个改名，或合并两者"),
			Related: []schema.Note{{At: up.nameAt, Label: schema.Textf("first defined here", "首次定义于此")}},
		})
		up.blocks, up.name, up.nameAt = []*directive{d}, name, arg.span()
		return
	}
	up := &upstream{blocks: []*directive{d}, name: name, nameAt: arg.span(), context: context, scope: at}
	f.upstreams = append(f.upstreams, up)
	f.defined[key] = up
}

func (f *file) use(d *directive, at *scope, family string) {
	text, ok := bind.Expand(d.args[0].text, f.in.Vars, bind.Braces)
	if !ok {
		return
	}
	t, ok := pass(text)
	if !ok {
		return
	}
	u := &use{scope: at, d: d, family: family, target: t}
	u.stream = family == "proxy_" && (at.context() == "stream" || at.context() == "" && at.kind == "server" && !strings.Contains(text, "://"))
	f.uses = append(f.uses, u)
}

// link gives each upstream the places that use it. Names are compared without case, as NGINX does.
func (f *file) link() {
	names := make(map[string][]*upstream, len(f.upstreams))
	for _, up := range f.upstreams {
		key := strings.ToLower(up.name)
		names[key] = append(names[key], up)
	}
	f.uses = slices.DeleteFunc(f.uses, func(u *use) bool {
		for _, up := range names[strings.ToLower(u.target.host)] {
			if up.context == "" || u.scope.context() == "" || (up.context == "stream") == u.stream {
				up.uses = append(up.uses, u)
				return true
			}
		}
		return false
	})
}

// contextAt is what shows that the upstream belongs to the stream module: the block around it, else a place that uses it.
func (up *upstream) contextAt() schema.Span {
	if block := up.scope.within("stream"); block != nil {
		return block.d.name.span()
	}
	return up.uses[0].d.head()
}

// stream reports whether the upstream belongs to the stream module, which has no default port.
func (up *upstream) stream() bool {
	if up.context != "" || len(up.uses) == 0 {
		return up.context == "stream"
	}
	for _, u := range up.uses {
		if !u.stream {
			return false
		}
	}
	return true
}
