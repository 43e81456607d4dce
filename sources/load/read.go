package load

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

type reader struct {
	tree     tree.Tree
	manifest *schema.Manifest
	views    []views // of the manifest's sources
	options  Options
	part     Part
	// compactors are used again and again.
	compactors sync.Pool
}

// read fills one file's result.
func (r *reader) read(f *File) {
	if len(f.Result.Problems) > 0 { // unreadable already when it was listed
		return
	}
	from, p := f.from(r.tree)
	if !r.recall(f) {
		data, err := read(from, p)
		if err != nil {
			f.fail(err)
			return
		}
		f.Sum = sha256.Sum256(data)
		if r.options.Name != nil && f.id == "" {
			f.id = r.options.Name(data)
		}
		adapter, ok := r.choose(f, data)
		if !ok {
			return
		}
		source, view := r.source(&adapter, f)
		f.Markers = markers(data, adapter.Name)
		f.Result = r.result(&adapter, f, &source, view, data)
	}
	for i := range f.Result.Copies {
		f.Result.Copies[i].Revision = from.Revision()
	}
}

// source returns the source of a file as its adapter sees it.
func (r *reader) source(a *sources.Adapter, f *File) (schema.Source, *view) {
	view := &r.views[f.Source].alone
	if a.Siblings {
		view = &r.views[f.Source].beside
	}
	source := view.source
	if source.Env == "" {
		source.Env = f.Env
	}
	if source.Profile == "" {
		source.Profile = a.Profile
	}
	return source, view
}

// cached returns the result of an earlier reading of the same bytes.
func (r *reader) cached(a *sources.Adapter, f *File, sum [32]byte, source *schema.Source, view *view, from tree.Tree, p string) (sources.Result, bool) {
	kept, ok := r.options.Cache.Get(Key{Content: sum, Reader: view.reader(a, f.Path, source)}, r.keeper(f))
	if !ok || !unchanged(from, path.Dir(p), kept.Siblings) {
		return sources.Result{}, false
	}
	f.beside = kept.Siblings
	return kept.Result, true
}

// result returns what the adapter makes of a file, from the cache where it was read before.
func (r *reader) result(a *sources.Adapter, f *File, source *schema.Source, view *view, data []byte) sources.Result {
	from, p := f.from(r.tree)
	cache, dir := r.options.Cache, path.Dir(p)
	beside := &siblings{tree: from, dir: dir}
	if cache == nil {
		result, _ := r.extract(a, f.Path, source, beside, data)
		f.beside, f.unsure = beside.seen, beside.unsure
		return result
	}
	if kept, ok := r.cached(a, f, f.Sum, source, view, from, p); ok {
		return kept
	}
	result, ok := r.extract(a, f.Path, source, beside, data)
	f.beside, f.unsure = beside.seen, beside.unsure
	if ok && beside.unsure == nil {
		cache.Put(Key{Content: f.Sum, Reader: view.reader(a, f.Path, source)}, Reading{result, beside.seen})
	}
	return result
}

// fail records that the file cannot be read.
func (f *File) fail(err error) {
	f.failure, f.err = err.Error(), err
	f.Result.Report(unreadable(f.Path, err))
}

// extract runs the adapter. A panic is a defect of ours; it becomes a finding on that file, so that the others are
// still reported, and names itself as a defect. ok is false then.
func (r *reader) extract(a *sources.Adapter, p string, source *schema.Source, beside *siblings, data []byte) (result sources.Result, ok bool) {
	defer func() {
		if cause := recover(); cause != nil {
			result, ok = sources.Result{}, false
			result.Report(schema.Problem{Rule: "source/unreadable",
				Text: schema.Textf("reading %s as %s failed with an internal error: %v", "按 %[2]s 读取 %[1]s 时发生内部错误：%[3]v", p, a.Name, cause),
				Hint: schema.Textf("this is a defect of poolproof; please report it with the file", "这是 poolproof 的缺陷，请附上文件报告")})
		}
	}()
	result = a.Read(sources.Input{
		Path: p, Data: data, Source: source, Vars: r.manifest.Vars, Vocabulary: r.manifest.Vocabulary, Sibling: beside.read,
	})
	conditional(&result, data)
	bound(&result)
	c := r.compactors.Get().(*compactor)
	c.compact(&result)
	r.compactors.Put(c)
	return result, true
}

// choose returns the adapter for a file: the named one, or the one that recognises it best.
func (r *reader) choose(f *File, data []byte) (sources.Adapter, bool) {
	s := &r.manifest.Sources[f.Source]
	if f.Format != "" {
		return sources.Adapter{}, false
	}
	name := s.Format
	if name == "" && s.Map != nil {
		name = "mapped"
	}
	if name == "" && s.Side == schema.Order {
		name = "change-order"
	}
	if name != "" {
		f.Format = name
		for _, a := range r.options.Adapters {
			if a.Name == name {
				return a, true
			}
		}
		f.Result.Report(schema.Problem{Rule: "source/undetected", Got: name, Text: schema.Textf("format %q is not known", "未知格式 %q", name)})
		return sources.Adapter{}, false
	}
	a, ok := Detect(r.options.Adapters, f.Path, data, s.Side)
	if !ok {
		f.Result.Report(schema.Problem{Rule: "source/undetected",
			Text: schema.Textf("the format of %s was not recognised", "无法识别 %s 的格式", f.Path),
			Hint: schema.Textf("name it: format: haproxy, nginx, mapped, ...", "写明 format：haproxy、nginx、mapped 等")})
		return sources.Adapter{}, false
	}
	f.Format, f.Detected = a.Name, true
	return a, true
}

// Detect returns the adapter that recognises a file best, at least as Likely; side limits the choice unless empty.
func Detect(adapters []sources.Adapter, p string, data []byte, side schema.Side) (sources.Adapter, bool) {
	best, sure := sources.Adapter{}, sources.Possible
	for _, a := range adapters {
		if side != "" && !stands(a, side) || a.Detect == nil {
			continue
		}
		if c := a.Detect(p, data); c > sure {
			best, sure = a, c
		}
	}
	return best, sure > sources.Possible
}

func stands(a sources.Adapter, side schema.Side) bool {
	for _, s := range a.Sides {
		if s == side {
			return true
		}
	}
	return false
}

func unreadable(p string, err error) schema.Problem {
	why := strings.TrimPrefix(err.Error(), p+": ")
	text := schema.Textf("%s cannot be read: %s", "无法读取 %s：%s", p, why)
	hint := schema.Text{}
	switch {
	case errors.Is(err, tree.ErrOutside):
		text = schema.Textf("%s leads out of the root and is not read", "%s 指向根目录之外，未读取", p)
		hint = schema.Textf("copy the file into the repository", "请将文件复制到仓库内")
	case errors.Is(err, tree.ErrNotRegular):
		text = schema.Textf("%s is not a regular file and is not read", "%s 不是普通文件，未读取", p)
	case errors.Is(err, tree.ErrTooLarge):
		text = schema.Textf("%s is larger than 32 MiB and is not read", "%s 超过 32 MiB，未读取", p)
	case errors.Is(err, tree.ErrTooMany):
		text = schema.Textf("%s has more than %d lines or list entries and is not read", "%s 的行数或列表项超过 %d，未读取", p, tree.MaxParts)
	case err == tree.ErrPointer:
		text = schema.Textf("%s is kept by Git LFS and has not been fetched", "%s 由 Git LFS 存放，尚未获取", p)
		hint = schema.Textf("git lfs pull", "git lfs pull")
	case errors.Is(err, fs.ErrNotExist):
		text = schema.Textf("%s does not exist", "%s 不存在", p)
	}
	return schema.Problem{Rule: "source/unreadable", Text: text, Hint: hint}
}
