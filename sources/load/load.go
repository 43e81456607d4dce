// Package load reads the files that a manifest names: it expands the patterns, detects formats, runs the adapters on
// several files at once, and gives everything back in a fixed order.
package load

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// File is one file as one source reads it.
type File struct {
	Path   string
	Source int // index into the manifest's sources
	Env    string
	Format string
	// Detected: the manifest names no format, it was found from content.
	Detected bool
	// Sum is the SHA-256 of the content.
	Sum     [32]byte
	Markers []Marker
	Result  sources.Result

	// other is the tree of another repository that has the file, at the path inner; nil for the tree that is read.
	other tree.Tree
	inner string
	id    string // as the listing names the content

	packed  [][]byte // of the result's copies, while files are read
	failure string   // why the file cannot be read, empty if it can
	err     error    // the same
	aside   bool
	beside  []Sibling
	unsure  error // why a file beside it could not be read
}

// Beside returns the base names of the files in the same folder that decided what the adapter made of this one.
func (f *File) Beside() []string {
	names := make([]string, len(f.beside))
	for i, s := range f.beside {
		names[i] = s.Name
	}
	return names
}

// Other returns the tree of the other repository that has the file, and its path there; nil for files of the tree itself.
func (f *File) Other() (tree.Tree, string) { return f.other, f.inner }

// ID names the content as the listing of its tree does, without reading it, or as Options.Name does; empty if none does.
func (f *File) ID() string { return f.id }

// Failure says why the file cannot be read, nil if it can or nobody has tried yet.
func (f *File) Failure() error { return f.err }

// Aside reports that the file stands for a submodule that cannot be read and that only a pattern over all
// of the tree leads into, by '**'.
func (f *File) Aside() bool { return f.aside }

// Sure reports whether reading the same bytes again gives the same: this file was read, and so were those beside it.
func (f *File) Sure() bool { return f.Lacks() == nil }

// Lacks says why this file, or one beside it, cannot be read, nil if they can.
func (f *File) Lacks() error { return cmp.Or(f.err, f.unsure) }

// from returns where to read the file: its tree, and its path there.
func (f *File) from(t tree.Tree) (tree.Tree, string) {
	if f.other != nil {
		return f.other, f.inner
	}
	return t, f.Path
}

// Skip is something that was not read, and why.
type Skip struct {
	What string
	Why  schema.Text
}

// Loaded is everything that was read.
type Loaded struct {
	// Files are sorted by source, then path.
	Files []*File
	// Problems are about the manifest's sources; they stand in the manifest.
	Problems []schema.Problem
	Skipped  []Skip

	packer Packer
	packed map[*schema.Copy][]byte
}

// Options steer a load.
type Options struct {
	Adapters []sources.Adapter
	// Workers is how many files are read at once; 0 means one a core.
	Workers int
	// Cache may be nil.
	Cache Cache
	// Packer keeps copies small until they are judged; nil leaves them whole.
	Packer Packer
	// Other opens the other repository that a source names, at its ref. An error says why it is not read; its text is
	// shown. Nil: no other repository is read.
	Other func(s *schema.Source) (tree.Tree, error)
	// Name names content as another tree of the same files would list it (File.ID), for trees that do not name theirs; nil
	// leaves it without a name.
	Name func(data []byte) string
	// Progress, which may be nil, is told how many of how many files are done. It is called from several goroutines.
	Progress func(done, total int)
}

// Load reads the files of the manifest's sources from t.
func Load(ctx context.Context, t tree.Tree, m *schema.Manifest, o Options) (*Loaded, error) {
	l, err := plan(t, m, o)
	if err != nil {
		return nil, err
	}
	if err := l.read(ctx, t, m, o, Part{}); err != nil {
		return nil, err
	}
	return l, nil
}

// List returns the files of the manifest's sources and what is wrong with the sources, without reading any file.
func List(t tree.Tree, m *schema.Manifest, o Options) (*Loaded, error) { return plan(t, m, o) }

// read fills the files of a list.
func (l *Loaded) read(ctx context.Context, t tree.Tree, m *schema.Manifest, o Options, p Part) error {
	r := reader{tree: t, manifest: m, views: viewsOf(m), options: o, part: p}
	r.compactors.New = func() any { return new(compactor) }
	err := eachFile(ctx, l.Files, o, func(f *File) {
		if r.share(f) {
			return
		}
		r.read(f)
		r.keep(f)
		r.pack(f)
		r.merge(f)
	})
	if err != nil {
		return err
	}
	l.index(o.Packer)
	for _, f := range l.Files {
		if f.Format == "" && len(f.Result.Problems) == 0 {
			l.Skipped = append(l.Skipped, Skip{f.Path, schema.Textf("no known format", "未识别的格式")})
		}
	}
	return nil
}

// plan lists the files of the manifest's sources without reading them.
func plan(t tree.Tree, m *schema.Manifest, o Options) (*Loaded, error) {
	l := &Loaded{}
	type reading struct {
		path   string
		side   schema.Side
		format string
		mapped int
	}
	seen := map[reading]bool{}
	listings := map[string][]tree.Entry{}
	for i := range m.Sources {
		s := &m.Sources[i]
		from, found := t, listings
		if s.Repo != "" {
			other, skip, why := elsewhere(s, o)
			if other == nil {
				l.Skipped = append(l.Skipped, Skip{s.Repo, skip})
				l.Problems = append(l.Problems, why)
				continue
			}
			from, found = other, map[string][]tree.Entry{}
		}
		files, err := expand(from, s, i, found)
		if err != nil {
			return nil, err
		}
		if s.Repo != "" {
			for _, f := range files {
				f.other, f.inner = from, f.Path
				f.Path = strings.TrimRight(s.Repo, "/") + "/" + f.Path
			}
		}
		if len(files) == 0 {
			l.Problems = append(l.Problems, empty(s))
		}
		for _, f := range files {
			key := reading{f.Path, s.Side, s.Format, mapID(s, i)}
			if seen[key] {
				continue
			}
			seen[key] = true
			l.Files = append(l.Files, f)
		}
	}
	return l, nil
}

// elsewhere opens the other repository of a source, or says why it is not read, in short and as a problem.
func elsewhere(s *schema.Source, o Options) (tree.Tree, schema.Text, schema.Problem) {
	if o.Other == nil {
		return nil, schema.Textf("another repository, which the operator has not allowed", "其他仓库，操作者未允许读取"),
			schema.Problem{Rule: "source/skipped", At: s.At, Got: s.Repo,
				Text: schema.Textf("source %s is not read: the operator has not allowed this repository", "未读取来源 %s：操作者未允许该仓库", s.Repo),
				Hint: schema.Textf("allow it with --allow-repo %s", "用 --allow-repo %s 允许", s.Repo)}
	}
	t, err := o.Other(s)
	if err != nil {
		return nil, schema.Textf("%v", "%v", err), schema.Problem{Rule: "source/skipped", At: s.At, Got: s.Repo,
			Text: schema.Textf("source %s is not read: %v", "未读取来源 %s：%v", s.Repo, err)}
	}
	return t, schema.Text{}, schema.Problem{}
}

// mapID keeps mapped sources apart, which may read one file for several pools.
func mapID(s *schema.Source, i int) int {
	if s.Map != nil || s.Env != "" || len(s.Profiles) > 0 {
		return i + 1
	}
	return 0
}

func empty(s *schema.Source) schema.Problem {
	pattern := ""
	if len(s.Files) > 0 {
		pattern = s.Files[0]
	}
	return schema.Problem{Rule: "source/empty", At: s.At, Got: pattern,
		Text: schema.Textf("%s source %q matches no file", "%s 来源 %q 没有匹配到文件", s.Side, pattern),
		Hint: schema.Textf("correct the pattern, or remove the source", "改正模式，或删除该来源")}
}

// expand lists the files of a source, each once.
func expand(t tree.Tree, s *schema.Source, index int, listings map[string][]tree.Entry) ([]*File, error) {
	var exclude []*tree.Glob
	for _, pattern := range s.Exclude {
		g, err := tree.CompileGlob(pattern)
		if err != nil {
			return nil, &PatternError{s.At, err}
		}
		exclude = append(exclude, g)
	}
	found := map[string]bool{}
	var files []*File
	for _, pattern := range s.Files {
		g, err := tree.CompileGlob(pattern)
		if err != nil {
			return nil, &PatternError{s.At, err}
		}
		entries, ok := listings[g.Base()]
		if !ok {
			entries, err = t.List(g.Base(), skipGit)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil && g.Literal():
				entries = []tree.Entry{{Path: g.Base(), Err: err}}
			case err != nil:
				entries = []tree.Entry{{Path: g.Base(), Err: err}}
			}
			listings[g.Base()] = entries
		}
	next:
		for _, e := range entries {
			env, ok := g.Match(e.Path)
			hidden, sure := false, false // what a folder that cannot be read may hold
			if !ok && e.Err != nil {
				if hidden = e.Path == g.Base(); hidden {
					sure = true
				} else if e.Folder {
					hidden, sure = g.Below(e.Path)
				}
			}
			if !ok && !hidden || found[e.Path] {
				continue
			}
			for _, x := range exclude {
				_, out := x.Match(e.Path)
				if !out && hidden && e.Folder {
					_, out = x.Match(e.Path + "/x")
				}
				if out {
					continue next
				}
			}
			if s.Env != "" {
				env = s.Env
			}
			f := &File{Path: e.Path, Source: index, Env: env, id: e.ID, aside: hidden && !sure && e.Apart && g.Base() == "."}
			if e.Err != nil {
				f.fail(e.Err)
			}
			found[e.Path] = true
			files = append(files, f)
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

func skipGit(dir string) bool { return path.Base(dir) == ".git" }

// PatternError is a file pattern that the grammar of patterns refuses.
type PatternError struct {
	At  schema.Span // in the manifest
	Err error
}

func (e *PatternError) Error() string { return e.Err.Error() }

func (e *PatternError) Unwrap() error { return e.Err }

// eachFile does something with every file, several at once. What it finds out belongs into the file, so that nothing depends
// on timing.
func eachFile(ctx context.Context, files []*File, o Options, do func(*File)) error {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next int
	)
	const chunk = 16
	for range min(workers, len(files)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for ctx.Err() == nil {
				mu.Lock()
				lo := next
				next += chunk
				mu.Unlock()
				if lo >= len(files) {
					return
				}
				hi := min(lo+chunk, len(files))
				for _, f := range files[lo:hi] {
					do(f)
				}
				if o.Progress != nil {
					o.Progress(hi, len(files))
				}
			}
		}()
	}
	wg.Wait()
	return ctx.Err()
}
