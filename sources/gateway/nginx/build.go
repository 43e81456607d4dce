package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// maxDepth is far more than any real file nests; what lies deeper is skipped.
const maxDepth = 64

// frame is a block that is still open.
type frame struct {
	d     directive
	maybe int  // open optional tags of the template when the block began
	drop  bool // what it holds is not kept
}

// builder makes the tree of a file.
type builder struct {
	*scanner
	open []frame
	deep int  // blocks open beyond the limit of nesting; what they hold is read and not kept
	told bool // the limit of nesting was reported
	cut  bool // the file ends inside a directive
}

// parse reads a whole file. It never fails: what cannot be right is a problem, and reading goes on.
func parse(src string) (root []directive, s *scanner) {
	b := &builder{scanner: newScanner(src)}
	b.open = append(b.open, frame{})
	for b.statement() {
	}
	b.unclosedBlocks()
	if b.templated {
		b.problems = slices.DeleteFunc(b.problems, func(p problem) bool { return p.balance })
	}
	return b.open[0].d.body, b.scanner
}

// statement reads up to the next ';', '{' or '}'. It returns false at the end of the file.
func (b *builder) statement() bool {
	b.space()
	if b.pos >= len(b.src) {
		return false
	}
	if b.src[b.pos] == '}' {
		b.close()
		return true
	}
	start := b.pos
	if b.semicolon() {
		b.report(true, start, b.pos, schema.Textf(`unexpected ";"`, `意外的 ";"`), schema.Textf("take it away: a block needs none after its brace", "删去它：块的大括号后不需要分号"))
		return true
	}
	if end, ok := b.mark(b.pos); ok {
		if b.tag(start, end) {
			b.pos = end
			return true
		}
		if end, ok := b.alone(end); ok {
			b.pos = end
			b.add(directive{name: word{text: b.src[start:end], start: start, end: end, template: true}, end: end, loose: true, maybe: b.optional()})
			return true
		}
	} else if b.src[b.pos] == '{' {
		b.report(true, start, start+1, schema.Textf(`unexpected "{"`, `意外的 "{"`), schema.Text{})
		b.pos++
		b.openBlock(directive{name: word{start: start, end: start}, block: true})
		return true
	}
	b.directive()
	return true
}

func (b *builder) top() *frame { return &b.open[len(b.open)-1] }

// optional reports whether a template decides about what stands at this place of the block.
func (b *builder) optional() bool { return b.maybe > b.top().maybe }

func (b *builder) add(d directive) {
	if f := b.top(); !f.drop && b.deep == 0 {
		f.d.body = append(f.d.body, d)
	}
}

// directive reads one directive up to its end or into its block.
func (b *builder) directive() {
	d := directive{maybe: b.optional()}
	d.name = b.word()
	for {
		newline := b.space()
		if b.pos >= len(b.src) {
			d.end = d.lastEnd()
			b.cut = true
			b.report(true, d.first(), d.end, schema.Textf(`%s is not ended by ";" or a block before the end of the file`, `到文件末尾 %s 也没有以 ";" 或块结束`, clip(d.name.text)),
				schema.Textf(`put ";" after it`, `在其后补上 ";"`))
			b.add(d)
			return
		}
		if b.semicolon() {
			d.end, d.ended = b.pos, true
			b.add(d)
			return
		}
		switch b.src[b.pos] {
		case '}':
			d.end = d.lastEnd()
			if !d.templated() {
				b.missingSemicolon(&d)
			}
			b.add(d)
			return
		case '{':
			if _, ok := b.mark(b.pos); !ok || isLua(d.name.text) {
				b.block(d)
				return
			}
		}
		w := b.word()
		w.newline = newline
		d.args = append(d.args, w)
	}
}

func (b *builder) missingSemicolon(d *directive) {
	b.report(false, d.first(), d.end, schema.Textf(`";" is missing after %q`, `%q 之后缺少 ";"`, clip(strings.TrimSpace(d.name.text+" "+d.text()))),
		schema.Textf(`put ";" after it`, `在其后补上 ";"`))
}

func (d *directive) lastEnd() int {
	last := d.name
	if n := len(d.args); n > 0 {
		last = d.args[n-1]
	}
	if last.quoted {
		return last.end + 1
	}
	return last.end
}

// blocks lists blocks that never stand in an upstream: one that begins there means that the upstream's brace is missing.
var blocks = []string{"upstream", "server", "location", "http", "stream", "map", "events", "geo", "split_clients", "types", "mail"}

// dropped lists blocks whose lines are data and no directives.
var dropped = []string{"map", "geo", "types", "split_clients", "charset_map"}

// block opens the directive's block; the scanner stands at its brace.
func (b *builder) block(d directive) {
	b.pos++
	d.block, d.ended = true, true
	if isLua(d.name.text) {
		b.lua(d.first())
		d.end = b.pos
		b.add(d)
		return
	}
	if up := &b.top().d; b.deep == 0 && up.name.text == "upstream" && up.block && slices.Contains(blocks, d.name.text) {
		b.report(true, up.first(), int(up.head().End), schema.Textf(`the block of "upstream %s" is not closed before the next %q`, `"upstream %s" 的块在下一个 %q 之前没有闭合`, clip(up.text()), d.name.text),
			schema.Textf(`put "}" at its end`, `在其结尾补上 "}"`))
		b.closeBlock(d.first())
	}
	b.openBlock(d)
}

func (b *builder) openBlock(d directive) {
	if len(b.open) > maxDepth {
		if !b.told {
			b.told = true
			b.report(false, d.first(), int(d.head().End), schema.Textf("blocks are nested more than %d deep; what lies deeper is not read", "块的嵌套超过 %d 层；更深处不读取", maxDepth), schema.Text{})
		}
		b.deep++
		return
	}
	b.open = append(b.open, frame{d: d, maybe: b.maybe, drop: b.top().drop || slices.Contains(dropped, d.name.text)})
}

// close consumes a '}'.
func (b *builder) close() {
	b.pos++
	if b.deep > 0 {
		b.deep--
		return
	}
	if len(b.open) == 1 {
		b.report(true, b.pos-1, b.pos, schema.Textf(`unexpected "}": no block is open here`, `意外的 "}"：此处没有打开的块`), schema.Textf("take it away, or look for a block above that is closed too early", "删去它，或检查上文过早闭合的块"))
		return
	}
	b.closeBlock(b.pos)
}

// closeBlock ends the innermost block at end and gives it to the one around it.
func (b *builder) closeBlock(end int) {
	f := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	f.d.end = max(end, int(f.d.head().End))
	if n := len(f.d.body); n > 0 {
		f.d.end = max(f.d.end, f.d.body[n-1].end)
	}
	b.add(f.d)
}

func (b *builder) unclosedBlocks() {
	if len(b.open) == 1 {
		return
	}
	d := b.top().d
	end := len(strings.TrimRight(b.src, " \t\r\n"))
	if n := len(b.problems); n < maxSyntax && !b.cut {
		b.report(true, max(end-1, 0), end, schema.Textf(`the file ends before %q is closed`, `文件结束时 %q 仍未闭合`, clip(strings.TrimSpace(d.name.text+" "+d.text()))),
			schema.Textf(`put the missing "}"`, `补上缺少的 "}"`))
		b.problems[n].Related = []schema.Note{{At: d.head(), Label: schema.Textf("opened here", "在此打开")}}
	}
	b.deep = 0
	for len(b.open) > 1 {
		b.closeBlock(end)
	}
}

// clip shortens a text for a message.
func clip(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
