// Package change reads the two ends of a change, as far as the change can touch, and judges them: what is wrong at the
// head, which of that is new, and what the change owes. It is what ci, check --staged and the change order stand on.
//
// Trees are compared, not commits. Of a large tree only the files are read that speak of a pool that a changed file speaks
// of; an index of an earlier tree, brought up to date, says which those are.
package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile/index"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// Tree is a tree that names the bytes of its files without reading them.
type Tree interface {
	tree.Tree
	// ID returns a name of the bytes at a path: equal names are equal bytes. ok is false where there is no readable file.
	ID(path string) (id string, ok bool)
}

// Store keeps an index between runs. What it returns must be what was put, or nothing.
type Store interface {
	Get() ([]byte, bool)
	Put([]byte) error
}

// Options are what Read looks at.
type Options struct {
	Base, Head Tree
	// Manifest is the path of the manifest in both trees; empty means one of the known names at their root.
	Manifest string
	// Further, which may be nil, finds what is wrong in a manifest besides what its grammar refuses.
	Further func(*schema.Manifest) []schema.Problem
	// Load steers the reading of files.
	Load load.Options
	// Store returns where the index of trees is kept that a manifest with this digest describes; nil means nowhere.
	Store func(manifest string) Store
	Rules []rules.Rule
	// Visit, if not nil, sees each pool in reach at both ends, the base's first; several at once. What it reports at the
	// head is a finding of a rule.
	Visit func(head bool, p *rules.Pool, r *rules.Reporter)
	// Visited is that rule.
	Visited string
	Now     time.Time
	// Pools, RuleNames and Env limit what is reported, as in an audit.
	Pools     []string
	RuleNames []string
	Env       string
	// PullRequest is handed on to the evidence.
	PullRequest *evidence.PullRequest
	// Read, which may be nil, is called when both ends are read, and before they are judged: the cache is not asked again.
	Read func()
	// Trim, which may be nil, is called when most is read, to give back what only makes further reading fast.
	Trim func()
	// Elsewhere, which may be nil, is told which manifest counts, and returns how sources in other repositories are read and
	// how claims about them are looked up.
	Elsewhere func(m *schema.Manifest) (other func(*schema.Source) (tree.Tree, error), repositories evidence.Repositories)
}

func (o *Options) trim() {
	if o.Trim != nil {
		o.Trim()
	}
}

// End is one end of a change.
type End struct {
	Tree Tree
	// File is the manifest's path, empty where the tree has none; Text is its text.
	File string
	Text []byte
	// Manifest is what the end is read and judged by, which is not only its own (evidence.Union).
	Manifest *schema.Manifest
	Loaded   *load.Loaded
	Audit    *audit.Result
	// Totals counts the whole tree, of which Loaded may be a part. That of the base is empty where the head has copies and
	// the base was not read whole.
	Totals index.Totals

	own      *schema.Manifest
	problems []schema.Problem
	list     *load.Loaded
	ids      map[string]string // of the listed files, as the tree names them
	prepared *audit.Prepared
	known    func(key string) bool
}

// Change is a judged change.
type Change struct {
	Base, Head End
	// Changed are the files that differ, by path at either end. Whole says why everything was looked at and not only what
	// these files can touch; nil if only that.
	Changed map[string]bool
	Whole   *schema.Text
	// Full: both trees were read whole, with everything that they say.
	Full bool
	// Findings are those at the head, with their status, and those of the evidence.
	Findings []schema.Finding
	Evidence *evidence.Report
	// Touched are the pools that the change touches.
	Touched []evidence.Pool
	// Unread says what could not be read through no fault of the change, nil if nothing: where no finding fails a run, it did
	// not look at everything.
	Unread *Unread
	// Unindexed says why no index was kept, nil if one was or none was wanted.
	Unindexed error

	entire bool // both trees are read whole, though only what the change touches is judged, and of the rest the names alone
	// alike returns what is known of a file that is the same at both ends, nil if nothing is.
	alike func(*load.File) *load.Known
	reach index.Reach // of the changed files, where not everything is looked at
}

// Judge reads and judges a change. The error is a *ManifestError where a manifest cannot be used.
func Judge(ctx context.Context, o Options) (*Change, error) {
	c := &Change{Base: End{Tree: o.Base}, Head: End{Tree: o.Head}}
	if err := c.Head.manifest(ctx, o); err != nil {
		return nil, err
	}
	var broken *ManifestError
	switch err := c.Base.manifest(ctx, o); {
	case errors.As(err, &broken) && c.Head.File != "":
		c.Base.own, c.Base.problems, c.Base.File = nil, nil, "" // else nothing could ever mend it
	case err != nil:
		return nil, err
	}
	union := evidence.Unite(c.Base.own, c.Head.own)
	if broken != nil {
		union.Unusable = broken.File
	}
	c.Base.Manifest, c.Head.Manifest = union.Base, union.Head
	var others evidence.Repositories
	if o.Elsewhere != nil {
		o.Load.Other, others = o.Elsewhere(union.Base)
	}
	if err := atOnce(func() error { return c.Base.enumerate(o) }, func() error { return c.Head.enumerate(o) }); err != nil {
		return nil, fmt.Errorf("listing the sources: %w", err)
	}
	c.differences()
	c.passOver()
	c.whole(union)
	var err error
	if c.Full {
		err = c.readAll(ctx, o)
	} else {
		err = c.readTouched(ctx, o)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the copies: %w", err)
	}
	if err := c.judge(ctx, o, union, others); err != nil {
		return nil, fmt.Errorf("judging the copies: %w", err)
	}
	return c, nil
}

// enumerate lists the files of the sources and names their bytes.
func (e *End) enumerate(o Options) error {
	var err error
	if e.list, err = load.List(e.Tree, e.Manifest, o.Load); err != nil {
		return err
	}
	e.ids = make(map[string]string, len(e.list.Files))
	for _, f := range e.list.Files {
		if other, _ := f.Other(); other != nil {
			continue
		}
		switch {
		case f.Failure() != nil:
			e.ids[f.Path] = unreadable(f.Failure()) + " " + f.ID()
		case f.ID() != "":
			e.ids[f.Path] = f.ID()
		}
	}
	return nil
}

// unreadable names a file that is there and cannot be read, by the reason: to become so is a change, too.
func unreadable(why error) string { return "unreadable: " + why.Error() }

// id names the bytes of a file; not ok where there is none.
func (e *End) id(p string) (string, bool) {
	if id, ok := e.ids[p]; ok {
		return id, true
	}
	if id, ok := e.Tree.ID(p); ok {
		return id, true
	}
	if _, err := e.Tree.Read(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(err), true
	}
	return "", false
}

// atOnce does two things at the same time, and returns the error of the first that has one.
func atOnce(a, b func() error) error {
	done := make(chan error, 1)
	go func() { done <- b() }()
	err := a()
	return cmp.Or(err, <-done)
}

// whole decides whether everything has to be looked at, or to be read at least.
func (c *Change) whole(u *evidence.Union) {
	say := func(en, zh string) { t := schema.Text{En: en, Zh: zh}; c.Whole = &t }
	switch {
	case c.Base.File == "" && c.Head.File == "":
		say("there is no manifest", "没有清单")
	case u.Unusable != "":
		say("the manifest of the base cannot be used", "基准的清单无法使用")
	case u.First:
		say("the change brings the first manifest", "本次变更引入首份清单")
	case c.Base.File != c.Head.File || string(c.Base.Text) != string(c.Head.Text):
		say("the manifest changes", "清单有变化")
	}
	// Where names hold the environment, an index cannot say what a file touches.
	c.Full = c.Whole != nil || !index.Serves(c.Head.Manifest)
}

// differences lists the files of the sources, and the manifests, whose bytes are not the same at both ends.
func (c *Change) differences() {
	c.Changed = map[string]bool{}
	for _, e := range []*End{&c.Base, &c.Head} {
		for _, f := range e.list.Files {
			c.compare(f.Path)
		}
		if e.File != "" {
			c.compare(e.File)
		}
	}
}

// compare notes whether a file differs.
func (c *Change) compare(p string) {
	a, inBase := c.Base.id(p)
	b, inHead := c.Head.id(p)
	if a != b || inBase != inHead {
		c.Changed[p] = true
	}
}
