// Package native reads poolproof's own pool files: pools under one root, in YAML, JSON or CUE. Any side may be written
// this way.
package native

import (
	"path"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/cuefile"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// Name is the format's name in manifests.
const Name = "poolproof"

// Adapter returns the reader of native pool files.
func Adapter() sources.Adapter {
	r := strict.New()
	return sources.Adapter{
		Name:    Name,
		Sides:   []schema.Side{schema.App, schema.Gateway, schema.Doc, schema.Order},
		Version: 1,
		Detect:  detect,
		Read:    func(in sources.Input) sources.Result { return read(r, in) },
	}
}

func decode(in sources.Input) data.File {
	switch path.Ext(in.Path) {
	case ".json":
		return data.JSON(in.Data)
	case ".cue":
		return cuefile.Parse(in.Data)
	}
	return data.YAML(in.Data)
}

func read(r *strict.Reader, in sources.Input) sources.Result { return readTree(r, in, decode(in)) }

func readTree(r *strict.Reader, in sources.Input, tree data.File) sources.Result {
	result := sources.Result{Problems: tree.Problems}
	f := r.File()
	f.Prepare(in.Data, tree.Documents, in.Vars)
	empty, files := true, []string{in.Path}
	for i := range tree.Documents {
		if root := tree.Documents[i].Root; root != nil {
			empty = false
			document(f, in, files, root, &result)
		}
	}
	if empty && len(tree.Problems) == 0 {
		result.Report(schema.Problem{Rule: judge.RuleInvalid, At: schema.At(0, 0),
			Text: schema.Textf("the file holds no pools", "文件中没有地址池"), Hint: schema.Textf("write pools: and the pools by name", "请写 pools: 以及各地址池")})
	}
	return result
}

// document reads the pools of one document.
func document(f *strict.File, in sources.Input, files []string, root *data.Node, result *sources.Result) {
	if !regular(root) {
		for _, i := range f.CheckRoot(root) {
			result.Report(i.Problem(schema.Textf("the file", "文件")))
		}
	}
	pools := root.Get("pools")
	if pools == nil || pools.Kind != data.Map {
		return
	}
	if result.Copies == nil {
		result.Copies = make([]schema.Copy, 0, len(pools.Pairs))
	}
	for i := range pools.Pairs {
		p := &pools.Pairs[i]
		if bind.HasTemplate(p.Key, strict.Syntax) {
			result.Report(schema.Problem{Rule: "source/unresolved", At: p.KeyAt, Got: p.Key,
				Text: schema.Textf("the name of a pool is a template; the pool is not read", "地址池名称是模板，未读取该地址池")})
			continue
		}
		result.Copies = append(result.Copies, schema.Copy{
			Side: in.Source.Side, Format: Name, Profile: in.Source.Profile, Files: files, Env: in.Source.Env, Pool: p.Key, PoolAt: p.KeyAt,
		})
		f.Pool(&result.Copies[len(result.Copies)-1], p.Value)
	}
}

// maxPlainName is how many bytes a name may have whatever its characters are.
const maxPlainName = 200

// regular reports whether a document is a mapping of pools with names of a good length and nothing else, which is what
// the grammar says of it apart from the pools themselves.
func regular(root *data.Node) bool {
	if root.Kind != data.Map || len(root.Pairs) != 1 || root.Pairs[0].Key != "pools" || root.Pairs[0].Value.Kind != data.Map {
		return false
	}
	pools := root.Pairs[0].Value
	for i := range pools.Pairs {
		if k := pools.Pairs[i].Key; k == "" || len(k) > maxPlainName && utf8.RuneCountInString(k) > maxPlainName {
			return false
		}
	}
	return true
}
