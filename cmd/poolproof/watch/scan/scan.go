// Package scan keeps the verdict about a tree up to date: after a first look at everything, a change of some files costs
// what these files can touch.
package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/reconcile/index"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// Options are what a scanner needs.
type Options struct {
	Tree     tree.Tree
	Manifest *schema.Manifest
	Problems []schema.Problem // of the manifest
	// Load must have a packer.
	Load  load.Options
	Rules []rules.Rule
	Now   func() time.Time
	// Text is that of the manifest, for places in it.
	Text []byte
	// Pools, RuleNames and Env limit what is judged, as in an audit.
	Pools     []string
	RuleNames []string
	Env       string
}

// Scanner holds what was read of a tree, and what is wrong with it. It is not safe for concurrent use.
type Scanner struct {
	options Options
	full    map[string]bool // rules that need a look at everything

	index *index.Index // nil before the first look, and where an index does not serve
	files map[index.ID]reading

	pools  map[poolKey][]schema.Finding
	places map[string][]schema.Finding // of files as a whole
	run    []schema.Finding            // of the run as a whole
	unread map[string]int              // files that findings say cannot be read, counted
	broken broken
	delta  Delta
	keys   map[string]string // of names of pools
	// Groups are the pools as they were last seen, for who compares them with something else.
	groups map[poolKey]*seenGroup

	counts Counts
	paths  map[string]int       // the readings of each file, counted
	copies map[*schema.Copy]int // the groups of each copy, counted: one without an environment stands in that of each
	orders []*schema.ChangeOrder
	shown  shown
}

type reading struct {
	loaded *load.Loaded
	file   *load.File
}

type poolKey struct{ env, pool string }

type seenGroup struct {
	group  *reconcile.Group
	loaded *load.Loaded
}

// Counts says what a tree holds.
type Counts struct {
	Files, Pools, Copies int
	Sides                map[schema.Side]int
	Skipped              []load.Skip
}

// New makes a scanner that has looked at nothing yet.
func New(o Options) *Scanner {
	s := &Scanner{options: o, full: map[string]bool{}}
	for i := range o.Rules {
		if o.Rules[i].FullOnly || o.Rules[i].Run != nil {
			s.full[o.Rules[i].ID] = true
		}
	}
	return s
}

// All looks at everything. The error means that nothing is known about the tree as it is now.
func (s *Scanner) All(ctx context.Context) error {
	o := &s.options
	loaded, err := load.Load(ctx, o.Tree, o.Manifest, o.Load)
	if err != nil {
		return fmt.Errorf("reading the copies: %w", err)
	}
	if err := exhausted(loaded); err != nil {
		return err
	}
	x := index.New(o.Manifest)
	broken := newBroken()
	files := make(map[index.ID]reading, len(loaded.Files))
	// What is judged is changed by it, so what is kept for later is a copy.
	read := make(map[index.ID]*load.File, len(loaded.Files))
	for _, f := range loaded.Files {
		read[idOf(f)] = f
	}
	kept, err := loaded.Some(ctx, o.Tree, o.Manifest, o.Load, load.Part{Twin: func(f *load.File) (*load.Loaded, *load.File) { return loaded, read[idOf(f)] }})
	if err != nil {
		return fmt.Errorf("reading the copies: %w", err)
	}
	for _, f := range kept.Files {
		e := index.Of(f, "")
		x.Put(e)
		files[e.ID] = reading{kept, f}
		broken.see(e.ID, o.Manifest.Sources[f.Source].Side, f)
	}
	auditing := s.auditing()
	auditing.Read = o.Tree.Read
	res, err := audit.Audit(ctx, o.Manifest, o.Problems, loaded, auditing)
	if err != nil {
		return fmt.Errorf("judging the copies: %w", err)
	}
	s.index, s.files, s.broken = nil, nil, broken
	if index.Serves(o.Manifest) {
		s.index, s.files = x, files
	}
	s.pools, s.places, s.run, s.groups, s.orders = map[poolKey][]schema.Finding{}, map[string][]schema.Finding{}, nil, map[poolKey]*seenGroup{}, nil
	s.counts = Counts{Sides: map[schema.Side]int{}, Skipped: res.Skipped}
	s.paths, s.copies = make(map[string]int, len(files)), make(map[*schema.Copy]int, res.Copies)
	for id := range files {
		s.paths[id.Path]++
	}
	for _, g := range res.Groups {
		s.see(&seenGroup{g, loaded})
	}
	for _, o := range res.Orders {
		s.orders = append(s.orders, o)
	}
	s.shown = shown{}
	s.sort(res.Findings, func(poolKey) bool { return true }, nil)
	return nil
}

func (s *Scanner) auditing() audit.Options {
	o := &s.options
	return audit.Options{Rules: o.Rules, Now: o.Now(), Pools: o.Pools, RuleNames: o.RuleNames, Env: o.Env, Workers: o.Load.Workers}
}

func idOf(f *load.File) index.ID { return index.ID{Path: f.Path, Source: f.Source, Env: f.Env} }

func keyOf(g *reconcile.Group) poolKey { return poolKey{g.Env, reconcile.Key(g.Pool)} }

// Paths looks at some files again, and at what they can touch. Rules that need a look at everything keep their last word.
// Where there is no index, it looks at everything.
func (s *Scanner) Paths(ctx context.Context, paths map[string]bool) error {
	if s.index == nil {
		return s.All(ctx)
	}
	o := &s.options
	before := s.index.At(paths)
	var old []*index.Entry
	for id := range before {
		old = append(old, s.index.Get(id))
	}
	// The files themselves, and those that depend on them.
	again := map[string]bool{}
	for p := range paths {
		again[p] = true
	}
	for id := range before {
		again[id.Path] = true
	}
	list, err := load.List(only{o.Tree, again}, o.Manifest, o.Load)
	if err != nil {
		return fmt.Errorf("listing the sources: %w", err)
	}
	fresh, err := list.Some(ctx, o.Tree, o.Manifest, o.Load, load.Part{})
	if err != nil {
		return fmt.Errorf("reading the copies: %w", err)
	}
	if err := exhausted(fresh); err != nil {
		return err
	}
	changed := map[index.ID]bool{}
	for id := range before {
		s.index.Drop(id)
		delete(s.files, id)
		s.broken.forget(id)
		if s.paths[id.Path]--; s.paths[id.Path] == 0 {
			delete(s.paths, id.Path)
		}
	}
	for _, f := range fresh.Files {
		e := index.Of(f, "")
		s.index.Put(e)
		s.files[e.ID] = reading{fresh, f}
		s.broken.see(e.ID, o.Manifest.Sources[f.Source].Side, f)
		s.paths[e.Path]++
		changed[e.ID] = true
	}
	reach := s.index.Reach(changed, old)
	part, err := s.part(ctx, reach, changed)
	if err != nil {
		return err
	}
	// Whether a section of a document belongs to a pool depends on what the others say.
	for id := range reach.Readings {
		again[id.Path] = true
	}
	prepared := audit.Prepare(o.Manifest, nil, part, func() audit.Options {
		a := s.auditing()
		a.Touched, a.Elsewhere = again, s.index.Knows
		return a
	}())
	touched := map[poolKey]bool{}
	for _, g := range prepared.Groups {
		if reach.Speaks(keyOf(g).pool) {
			touched[keyOf(g)] = true
		}
	}
	res, err := prepared.Judge(ctx, func(g *reconcile.Group) bool { return touched[keyOf(g)] })
	if err != nil {
		return fmt.Errorf("judging the copies: %w", err)
	}
	// Pools in reach that are no more are forgotten, those that are new are added.
	wants := func(k poolKey) bool { return reach.Speaks(k.pool) }
	for k := range s.groups {
		if wants(k) {
			s.forget(k)
		}
	}
	for _, g := range prepared.Groups {
		if wants(keyOf(g)) {
			s.see(&seenGroup{g, part})
		}
	}
	s.sort(res.Findings, wants, again)
	return nil
}

// see adds a pool.
func (s *Scanner) see(g *seenGroup) {
	k := keyOf(g.group)
	if s.groups[k] != nil {
		s.forget(k)
	}
	s.groups[k] = g
	s.shown.stale(k)
	for _, c := range g.group.Copies {
		if s.copies[c]++; s.copies[c] == 1 {
			s.counts.Sides[c.Side]++
			s.counts.Copies++
		}
	}
}

// forget removes a pool.
func (s *Scanner) forget(k poolKey) {
	for _, c := range s.groups[k].group.Copies {
		if s.copies[c]--; s.copies[c] > 0 {
			continue
		}
		delete(s.copies, c)
		s.counts.Copies--
		if s.counts.Sides[c.Side]--; s.counts.Sides[c.Side] == 0 {
			delete(s.counts.Sides, c.Side)
		}
	}
	delete(s.groups, k)
	s.shown.stale(k)
}

// part returns the readings in reach, as if they had just been read.
func (s *Scanner) part(ctx context.Context, reach index.Reach, changed map[index.ID]bool) (*load.Loaded, error) {
	var list load.Loaded
	ids := make([]index.ID, 0, len(reach.Readings))
	for id := range reach.Readings {
		if _, ok := s.files[id]; ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b index.ID) int {
		if a.Source != b.Source {
			return a.Source - b.Source
		}
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return strings.Compare(a.Env, b.Env)
	})
	for _, id := range ids {
		list.Files = append(list.Files, &load.File{Path: id.Path, Source: id.Source, Env: id.Env})
	}
	part, err := list.Some(ctx, s.options.Tree, s.options.Manifest, s.options.Load, load.Part{
		Twin: func(f *load.File) (*load.Loaded, *load.File) { r := s.files[idOf(f)]; return r.loaded, r.file },
		Keep: func(f *load.File, c *schema.Copy) bool { return changed[idOf(f)] || reach.Holds(c) },
	})
	if err != nil {
		return nil, fmt.Errorf("reading the copies: %w", err)
	}
	return part, nil
}

// sort files findings under what they are about, in place of what was known about it. files are those whose own findings
// are new; nil means all, and that the run as a whole was judged.
func (s *Scanner) sort(findings []schema.Finding, wants func(poolKey) bool, files map[string]bool) {
	if files == nil {
		s.unread, s.delta, s.keys = map[string]int{}, Delta{All: true}, map[string]string{}
	} else {
		for k, list := range s.pools {
			if wants(k) {
				s.note(list, -1)
				kept := slices.DeleteFunc(slices.Clone(list), func(f schema.Finding) bool { return !s.full[f.Rule] })
				s.note(kept, 1)
				s.pools[k] = kept
				s.delta.pool(k)
			}
		}
		for p := range files {
			s.note(s.places[p], -1)
			delete(s.places, p)
			s.delta.file(p)
		}
	}
	report.Locate(findings, s.source())
	for i := range findings {
		f := &findings[i]
		switch {
		case f.Pool != "":
			k := poolKey{f.Env, reconcile.Key(f.Pool)}
			if files != nil && s.full[f.Rule] {
				continue
			}
			s.pools[k] = append(s.pools[k], *f)
			s.delta.pool(k)
		case f.At.File != "" && f.At.File != s.options.Manifest.File:
			if files != nil && !files[f.At.File] {
				continue
			}
			s.places[f.At.File] = append(s.places[f.At.File], *f)
		case files == nil:
			s.run = append(s.run, *f)
		default:
			continue
		}
		s.note(findings[i:i+1], 1)
	}
}

// Findings returns all that is wrong, in no order.
func (s *Scanner) Findings() []schema.Finding {
	all := slices.Clone(s.run)
	for _, list := range s.pools {
		all = append(all, list...)
	}
	for _, list := range s.places {
		all = append(all, list...)
	}
	return all
}

// Counts returns what the tree holds.
func (s *Scanner) Counts() Counts {
	c := s.counts
	c.Files, c.Pools, c.Sides = len(s.paths), len(s.groups), maps.Clone(c.Sides)
	return c
}

// only shows some files of a tree.
type only struct {
	tree.Tree
	paths map[string]bool
}

// List lists those of the files that are below a folder and are there.
func (o only) List(dir string, _ func(string) bool) ([]tree.Entry, error) {
	var list []tree.Entry
	for p := range o.paths {
		if dir != "." && p != dir && !strings.HasPrefix(p, dir+"/") || path.Base(path.Dir(p)) == ".git" {
			continue
		}
		_, err := o.Tree.Read(p)
		e := tree.Entry{Path: p, Err: err}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, tree.ErrNotRegular) && o.folder(&e) {
			continue
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b tree.Entry) int { return strings.Compare(a.Path, b.Path) })
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	return list, nil
}

// folder reports whether a folder stands in the place of a file by now, of which a list says nothing as long as it can be
// opened.
func (o only) folder(e *tree.Entry) bool {
	inside, err := o.Tree.List(e.Path, func(string) bool { return true })
	if err == nil && len(inside) == 1 && inside[0].Path == e.Path {
		e.Folder = inside[0].Folder
		return false
	}
	return err == nil
}
