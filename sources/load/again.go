package load

import (
	"path"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// Again reads files of a list once more as they would be with other bytes: by the same adapter, source and settings.
type Again struct {
	reader reader
}

// NewAgain returns a reader for files that were read from t under m. Of the options it takes the adapters.
func NewAgain(t tree.Tree, m *schema.Manifest, o Options) *Again {
	a := &Again{reader{tree: t, manifest: m, views: viewsOf(m), options: Options{Adapters: o.Adapters}}}
	a.reader.compactors.New = func() any { return new(compactor) }
	return a
}

// Read returns what the adapter of a file makes of it. bytes stands in for files by their path in the listing, for this one
// and for those beside it; what it has not is as the tree has it. A file that cannot be read, or whose format nobody
// knows, gives nothing.
func (a *Again) Read(f *File, bytes map[string][]byte) sources.Result {
	i := slices.IndexFunc(a.reader.options.Adapters, func(x sources.Adapter) bool { return x.Name == f.Format })
	if i < 0 || f.Failure() != nil {
		return sources.Result{}
	}
	from, p := f.from(a.reader.tree)
	t := instead{from, map[string][]byte{}}
	for name, data := range bytes {
		if path.Dir(name) == path.Dir(f.Path) {
			t.bytes[path.Join(path.Dir(p), path.Base(name))] = data
		}
	}
	data, err := read(t, p)
	if err != nil {
		return sources.Result{}
	}
	adapter := &a.reader.options.Adapters[i]
	source, _ := a.reader.source(adapter, f)
	result, _ := a.reader.extract(adapter, f.Path, &source, &siblings{tree: t, dir: path.Dir(p)}, data)
	for i := range result.Copies {
		result.Copies[i].Revision = from.Revision()
	}
	return result
}

// instead is a tree with other bytes in some of its files.
type instead struct {
	tree.Tree
	bytes map[string][]byte
}

func (t instead) Read(p string) ([]byte, error) {
	if data, ok := t.bytes[p]; ok {
		return data, nil
	}
	return t.Tree.Read(p)
}
