// Package mapped reads home-made configuration files (YAML, JSON with comments, TOML, .properties) through the paths
// that the manifest gives: where the pool's name, members, probe, cooldown and so on stand.
//
// A path has dotted keys, "quoted" where they hold dots, [*] or [3] for lists, .* for mappings, and may close with the
// unit of a bare number: "health.interval | ms". In paths below a wildcard, "." or "value" is the match itself and "key"
// its key. What a path does not find is unresolved: shown, and an accusation of nobody.
package mapped

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
)

// Adapter returns the reader of mapped files. It is never detected: only a manifest can say where things stand.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "mapped",
		Sides:   []schema.Side{schema.App, schema.Gateway, schema.Doc, schema.Order},
		Version: 1,
		Detect:  func(string, []byte) sources.Confidence { return sources.Unlikely },
		Read:    read,
	}
}

// placeholders are the marks that home-made files use: ${X}, ${X:-default}, ${X:default}, $X, @X@, and templates.
const placeholders = bind.Dollar | bind.DollarBare | bind.DashDefault | bind.ColonDefault | bind.At | bind.Braces

// reader reads one file.
type reader struct {
	in     sources.Input
	plan   plan
	roots  []match
	result sources.Result
}

func read(in sources.Input) sources.Result {
	r := reader{in: in}
	if in.Source.Map == nil {
		r.result.Report(schema.Problem{
			Rule: "source/skipped", Text: schema.Textf("%s is not read: format mapped needs a map", "未读取 %s：mapped 格式需要 map", in.Path),
			Hint: schema.Textf("say under map: where the file holds what", "请在 map: 下写明文件中各项的位置"),
		})
		return r.result
	}
	var c compiler
	r.plan = c.compile(in.Source.Map) // what is wrong with the map itself is said once, where the manifest is read
	file := decode(in.Path, in.Data)
	r.result.Problems = append(r.result.Problems, file.Problems...)
	for _, d := range file.Documents {
		if d.Root != nil {
			r.roots = append(r.roots, match{node: d.Root})
		}
	}
	switch {
	case len(file.Documents) == 0 && len(file.Problems) > 0:
		// Nothing could be read: the problems say so, and a copy would only repeat that every path is missing.
	case r.plan.poolEach != nil:
		r.manyPools()
	case in.Source.Map.PoolEach == "":
		r.onePool()
	}
	return r.result
}

// pool reads one pool, whose paths start at from.
func (r *reader) pool(c schema.Copy, from []match) {
	c.Side, c.Format, c.Profile, c.Env = r.in.Source.Side, "mapped", r.in.Source.Profile, r.in.Source.Env
	c.Files = []string{r.in.Path}
	p := poolReader{reader: r, copy: &c, from: from}
	p.binder = bind.Binder{Copy: &c, Vars: r.in.Vars, Syntax: placeholders}
	p.members()
	for _, f := range r.plan.fields {
		p.field(f)
	}
	p.ramp()
	r.result.Copies = append(r.result.Copies, c)
}

// poolReader fills one copy.
type poolReader struct {
	*reader
	copy   *schema.Copy
	binder bind.Binder
	from   []match
	index  int // of the member entry that is read, counting those that stay unresolved
}

// src returns the bytes of a span.
func (r *reader) src(at schema.Span) []byte {
	if at.Start > at.End || int(at.End) > len(r.in.Data) {
		return nil
	}
	return r.in.Data[at.Start:at.End]
}
