package change

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/reconcile/index"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// readAll reads both ends whole. What has the same bytes at both is read once.
func (c *Change) readAll(ctx context.Context, o Options) error {
	if err := c.Head.readAll(ctx, o, load.Part{}); err != nil {
		return err
	}
	o.trim() // little is left to be read
	for _, f := range c.Head.Loaded.Files {
		for _, p := range index.Beside(f) {
			c.compare(p)
		}
	}
	part := load.Part{Still: index.Serves(c.Head.Manifest)}
	twins := c.twins(func(f *load.File) bool {
		return !c.Changed[f.Path] && !slices.ContainsFunc(index.Beside(f), func(p string) bool { return c.Changed[p] })
	})
	if c.Base.Manifest == c.Head.Manifest {
		part.Twin = twins
	} else {
		part.Like = twins
	}
	if err := c.Base.readAll(ctx, o, part); err != nil {
		return err
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		c.missed(e.Loaded.Files)
	}
	return nil
}

// readAll reads all that is listed.
func (e *End) readAll(ctx context.Context, o Options, part load.Part) error {
	if err := e.list.Fill(ctx, e.Tree, e.Manifest, o.Load, part); err != nil {
		return err
	}
	e.Loaded, e.list = e.list, nil
	e.Totals = index.TotalsOf(e.Manifest, e.Loaded.Files)
	return nil
}

// twins returns what finds the file of the head that is the same as one of the base, among those that are the same.
func (c *Change) twins(same func(*load.File) bool) func(*load.File) (*load.Loaded, *load.File) {
	twins := map[index.ID]*load.File{}
	for _, f := range c.Head.Loaded.Files {
		if same(f) {
			twins[idOf(f)] = f
		}
	}
	return func(f *load.File) (*load.Loaded, *load.File) { return c.Head.Loaded, twins[idOf(f)] }
}

func idOf(f *load.File) index.ID { return index.ID{Path: f.Path, Source: f.Source, Env: f.Env} }

// readTouched reads what the changed files can touch. Both ends have the same sources then.
func (c *Change) readTouched(ctx context.Context, o Options) error {
	var store Store
	if o.Store != nil {
		store = o.Store(Described(c.Head.Manifest))
	}
	x := stored(store, c.Head.Manifest)
	read, err := c.Head.follow(ctx, o, x, c.missed)
	if err != nil {
		return err
	}
	kept := make(chan error, 1) // while others only read the index
	go func() {
		var err error
		if read > 0 && store != nil {
			err = store.Put(x.Append(nil))
		}
		kept <- err
	}()
	defer func() {
		if kept != nil {
			<-kept
		}
	}()
	for _, p := range x.Besides() {
		c.compare(p)
	}
	c.Head.Totals = x.Totals()
	names := x.Names()
	c.Head.known = func(key string) bool { return names[key] > 0 }

	// The files of the base that changed are read for what they speak of, then both ends for what they say.
	changed := x.At(c.Changed)
	before, err := c.Base.list.Some(ctx, c.Base.Tree, c.Base.Manifest, o.Load, load.Part{Want: func(f *load.File) bool { return c.Changed[f.Path] || changed[idOf(f)] }})
	if err != nil {
		return err
	}
	c.missed(before.Files)
	others := make([]*index.Entry, len(before.Files))
	for i, f := range before.Files {
		others[i] = index.Of(f, "")
	}
	reach := x.Reach(changed, others)
	c.reach = reach
	part := load.Part{
		Want: func(f *load.File) bool { return reach.Readings[idOf(f)] },
		Keep: func(f *load.File, copy *schema.Copy) bool { return changed[idOf(f)] || reach.Holds(copy) },
		Known: func(f *load.File) *load.Known {
			if e := x.Get(idOf(f)); e != nil {
				return &e.Known
			}
			return nil
		},
	}
	if c.Head.Loaded, err = c.Head.list.Some(ctx, c.Head.Tree, c.Head.Manifest, o.Load, part); err != nil {
		return err
	}
	c.missed(c.Head.Loaded.Files)
	twins := c.twins(func(f *load.File) bool { return !changed[idOf(f)] })
	c.Unindexed, kept = <-kept, nil
	// What is left of the index is made that of the base.
	for id := range changed {
		x.Drop(id)
	}
	for _, e := range others {
		x.Put(e)
	}
	c.alike = func(f *load.File) *load.Known {
		if e := x.Get(idOf(f)); e != nil && !changed[e.ID] {
			return &e.Known
		}
		return nil
	}
	if len(c.Head.Totals.Sides) == 0 { // else nobody asks
		c.Base.Totals = x.Totals()
	}
	c.Base.known = x.Knows
	there := x.Touches(reach)
	part.Want = func(f *load.File) bool { return there.Readings[idOf(f)] }
	part.Keep = func(f *load.File, copy *schema.Copy) bool { return changed[idOf(f)] || there.Holds(copy) }
	part.Twin, part.Still = twins, true
	if c.Base.Loaded, err = c.Base.list.Some(ctx, c.Base.Tree, c.Base.Manifest, o.Load, part); err != nil {
		return err
	}
	c.missed(c.Base.Loaded.Files)
	return nil
}

// readEntire reads both ends whole after all.
func (c *Change) readEntire(ctx context.Context, o Options) error {
	c.entire = true
	part := load.Part{Known: c.alike, Named: func(_ *load.File, copy *schema.Copy) bool { return !c.reach.Holds(copy) }, Still: true}
	var err error
	if c.Head.Loaded, err = c.Head.list.Some(ctx, c.Head.Tree, c.Head.Manifest, o.Load, part); err != nil {
		return err
	}
	part.Twin = c.twins(func(f *load.File) bool { return c.alike(f) != nil })
	if c.Base.Loaded, err = c.Base.list.Some(ctx, c.Base.Tree, c.Base.Manifest, o.Load, part); err != nil {
		return err
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		c.missed(e.Loaded.Files)
		e.known = nil
	}
	c.alike = nil
	return nil
}

// stored returns the index that was kept, or an empty one.
func stored(store Store, m *schema.Manifest) *index.Index {
	if store != nil {
		if data, ok := store.Get(); ok {
			if x, err := index.Decode(data, m); err == nil {
				return x
			}
		}
	}
	return index.New(m)
}

// chunk is how many files are read at once for an index, which keeps little of what they say.
const chunk = 250

// follow brings an index of some tree up to date with this end, and returns how many files had to be read for that. Each
// is shown to looked.
func (e *End) follow(ctx context.Context, o Options, x *index.Index, looked func([]*load.File)) (int, error) {
	had, kept := x.Len(), 0
	var stale []index.ID
	for _, f := range e.list.Files {
		id := idOf(f)
		known := x.Get(id)
		if known != nil {
			kept++
		}
		if known == nil || known.Content != content(f, known.Beside, e.id) {
			stale = append(stale, id)
		}
	}
	if kept < had {
		here := make(map[index.ID]bool, len(e.list.Files))
		for _, f := range e.list.Files {
			here[idOf(f)] = true
		}
		x.Keep(func(id index.ID) bool { return here[id] })
	}
	progress, done := o.Load.Progress, 0
	for some := range slices.Chunk(stale, chunk) {
		if before := done; progress != nil {
			o.Load.Progress = func(n, _ int) { progress(before+n, len(stale)) }
		}
		done += len(some)
		wanted := make(map[index.ID]bool, len(some))
		for _, id := range some {
			wanted[id] = true
		}
		l, err := e.list.Some(ctx, e.Tree, e.Manifest, o.Load, load.Part{Want: func(f *load.File) bool { return wanted[idOf(f)] }})
		if err != nil {
			return 0, err
		}
		for _, f := range l.Files {
			x.Put(entryOf(f, e.id))
		}
		looked(l.Files)
	}
	return len(stale), nil
}

// unsure is the name of content that has to be read again: reading it failed, which is not the content's doing. The next
// time the object may have been fetched, or the file of Git LFS.
const unsure = ""

func entryOf(f *load.File, idOf func(path string) (string, bool)) *index.Entry {
	entry := index.Of(f, unsure)
	if f.Sure() {
		entry.Content = content(f, entry.Beside, idOf)
	}
	return entry
}

// content names the bytes of a file and of those beside it. What cannot be read has a name of its own.
func content(f *load.File, beside []string, idOf func(path string) (string, bool)) string {
	if other, _ := f.Other(); other != nil {
		return "elsewhere " + other.Revision()
	}
	id, ok := idOf(f.Path)
	if !ok {
		id = "-"
	}
	for _, b := range beside {
		other, _ := idOf(b)
		id += " " + other
	}
	return id
}

// Remember keeps the index of a tree that was read whole, so that the first change that is judged need not read it again. id
// names the bytes of a file as the trees of the change will (Tree.ID).
func Remember(s Store, l *load.Loaded, m *schema.Manifest, id func(path string) (string, bool)) error {
	x := index.New(m)
	for _, f := range l.Files {
		x.Put(entryOf(f, id))
	}
	return s.Put(x.Append(nil))
}

// Described names how a manifest has a tree read, by all that decides it; what an index holds is good for manifests of the
// same name.
func Described(m *schema.Manifest) string {
	h := sha256.New()
	for _, s := range m.Sources {
		mapping := s.Map
		s.Map, s.At = nil, schema.Span{} // a pointer would show as an address
		fmt.Fprintf(h, "%#v", s)
		if mapping != nil {
			fmt.Fprintf(h, " %#v", *mapping)
		}
	}
	fmt.Fprintf(h, "%#v %#v", m.Vars, m.Vocabulary)
	return hex.EncodeToString(h.Sum(nil))
}
