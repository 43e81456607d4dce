package main

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/parallel"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/load"
)

// aligner finds, shows and makes edits.
type aligner struct {
	o       *options
	w       *workspace
	request request
	write   bool
	// below limits the edits to a path, "" for the whole tree.
	below  string
	loaded *load.Loaded
	result *audit.Result

	readers *readers
	files   []*alignedFile
	left    []leftOver
	// silent is how many values differ between copies of which none decides.
	silent int
}

// alignedFile is a file of the tree with its edits.
type alignedFile struct {
	// path is where the file itself stands, behind all links, from the root.
	path    string
	side    schema.Side
	old     []byte
	edits   []align.Edit
	places  []schema.Place // of the edits
	written bool
}

// leftOver is a difference that is not edited, or a file of which nobody knows.
type leftOver struct {
	at                                  schema.Place
	pool, env, field, member, want, got string
	item                                schema.Item
	why                                 schema.Text
	// edit says what an edit would have settled that was not made; empty for what there is no edit for.
	edit schema.Text
}

// settle finds the edits for what differs in the groups. The pools are looked at twice, first to find out which files are
// concerned and then file by file, so that memory does not hold all of them at once.
func (a *aligner) settle(ctx context.Context, groups []*reconcile.Group, differences *audit.Differences) error {
	a.readers = newReaders(a)
	scans := make([]scan, len(groups))
	if err := parallel.Do(ctx, 0, len(groups), func(i int) { scans[i] = a.scan(groups[i], differences) }); err != nil {
		return err
	}
	jobs := map[string]*job{}
	shared := map[string][]*reconcile.Group{} // by copies that are to be edited, of pools that have an environment
	for i, g := range groups {
		a.silent += scans[i].silent
		a.left = append(a.left, scans[i].left...)
		for _, s := range scans[i].spots {
			j := jobs[s.path]
			if j == nil {
				j = &job{path: s.path, differences: differences, keys: map[string]bool{}}
				jobs[s.path] = j
			}
			if n := len(j.groups); n == 0 || j.groups[n-1] != g {
				j.groups = append(j.groups, g)
			}
			j.keys[s.key] = true
			if g.Env != "" {
				shared[s.key] = nil
			}
		}
	}
	a.readers.index(jobs)
	if len(shared) > 0 {
		for _, g := range groups {
			for _, c := range g.Copies {
				if k := a.readers.key(c); g.Env != "" && edited(c.Side) {
					if list, ok := shared[k]; ok {
						shared[k] = append(list, g)
					}
				}
			}
		}
	}
	order := sortedKeys(jobs)
	results := make([]fileResult, len(order))
	progress := a.o.progress("aligning")
	defer progress.done()
	err := parallel.Do(ctx, 0, len(order), func(i int) {
		j := jobs[order[i]]
		j.others = shared
		results[i] = a.file(j)
		*j = job{} // the pools are not needed any more
		progress.set(i+1, len(order))
	})
	for _, r := range results {
		a.left = append(a.left, r.left...)
		if r.file != nil {
			a.files = append(a.files, r.file)
		}
	}
	return err
}

// scan is what is to be done about a pool: what is left, and the copies that are to be edited with their files.
type scan struct {
	silent int
	left   []leftOver
	spots  []spot
}

type spot struct{ path, key string }

func (a *aligner) scan(g *reconcile.Group, differences *audit.Differences) (s scan) {
	if !differences.Asked(g) {
		return s
	}
	d := differences.Of(g)
	s.silent = d.Silent
	for i := range d.Open {
		x := &d.Open[i].Divergence
		path, why, ok := a.target(x)
		if !ok {
			continue
		}
		if why != nil {
			s.left = append(s.left, leftOf(x, g.Pool, g.Env, *why))
			continue
		}
		if at := (spot{path, a.readers.key(x.Copy)}); !slices.Contains(s.spots, at) {
			s.spots = append(s.spots, at)
		}
	}
	return s
}

// edited reports whether copies of a side are edited.
func edited(side schema.Side) bool { return side == schema.App || side == schema.Doc }

// target returns the file that has to change for a divergence, or why nothing is edited; not ok if it is not asked for.
func (a *aligner) target(x *reconcile.Divergence) (path string, why *schema.Text, ok bool) {
	place := rules.PlaceOf(x.Copy, x.At)
	if a.outside(place.File) {
		return "", nil, false
	}
	return a.readers.real(place.File), a.readers.untouchable(x, place.File), true
}

// outside reports whether a file is not below the path that is asked for.
func (a *aligner) outside(file string) bool {
	return a.below != "" && file != a.below && !strings.HasPrefix(file, a.below+"/")
}

func leftOf(x *reconcile.Divergence, pool, env string, why schema.Text) leftOver {
	l := leftOver{at: rules.PlaceOf(x.Copy, x.At), pool: pool, env: env, item: x.Item, field: x.Field, member: x.Member, want: x.Want, got: x.Got, why: why}
	if l.member == "" {
		l.member = strings.Join(x.Names, ", ")
	}
	return l
}

// fileResult is what became of one file.
type fileResult struct {
	file *alignedFile // nil without edits
	left []leftOver
}

// file finds the edits of one file.
func (a *aligner) file(j *job) (r fileResult) {
	j.open(a)
	defer func() { r.left = append(r.left, j.left...) }()
	text, err := a.w.tree.Read(j.path)
	if err != nil {
		j.leaveAll(schema.Text{En: "the file cannot be read: " + inWords(bare(err), "en"), Zh: "无法读取该文件：" + inWords(bare(err), "zh")})
		return r
	}
	for _, x := range a.readers.of[j.path] {
		if x.as == x.file.Path && x.file.Sum != sha256.Sum256(text) {
			j.leaveAll(schema.Textf("the file changed while it was read; run align again", "读取期间文件发生了变化；请重新运行 align"))
			return r
		}
	}
	result, keys := a.readers.read(j.path, text)
	tasks := j.tasks(result.Copies, keys)
	if len(tasks) == 0 {
		return r
	}
	edits, left := align.File(text, tasks, func(text []byte) sources.Result {
		result, _ := a.readers.read(j.path, text)
		return result
	})
	for i := range left {
		l := &left[i]
		r.left = append(r.left, leftOf(&l.Divergence, l.Pool, l.Env, l.Why))
	}
	if len(edits) > 0 {
		r.file = &alignedFile{path: j.path, old: text, edits: edits, side: tasks[0].Copy.Side}
		r.file.locate()
	}
	return r
}

// unreadable leaves the files that nobody could read: what they say is not known, and so neither is what they owe.
func (a *aligner) unreadable() {
	if len(a.o.pools) > 0 {
		return
	}
	for _, f := range a.loaded.Files {
		if f.Failure() == nil || f.Aside() || a.outside(f.Path) {
			continue
		}
		l := leftOver{at: schema.Place{Side: a.w.manifest.Sources[f.Source].Side, File: f.Path}}
		for _, p := range f.Result.Problems {
			if p.Rule == "source/unreadable" {
				l.why = p.Text
			}
		}
		a.left = append(a.left, l)
	}
}
