package cache

import (
	"cmp"
	"os"
	"slices"
)

// record is an entry with the id of its record.
type record struct {
	id id
	entry
}

// replace completes the new pack with what is worth keeping of the one before, and puts it in its place.
func (c *Cache) replace() error {
	base := c.old
	// Another run may have put its own there since; what it read is kept too.
	latest := openPack(c.path, c.header, c.limits.pack)
	defer latest.close()
	if latest != nil && (c.old == nil || !os.SameFile(latest.info, c.old.info)) {
		base = latest
	}
	generation := uint32(1)
	if base != nil {
		generation = base.generation + 1
	}
	if err := c.news.take(base, c.keep(base, generation)); err != nil {
		return err
	}
	if err := c.news.finish(generation); err != nil {
		return err
	}
	// Some systems do not replace a file that is open.
	latest.close()
	c.old.close()
	if err := c.news.rename(c.path); err != nil {
		return err
	}
	trim(c.folder, c.path)
	return nil
}

// keep chooses the records of an older pack that go into the next: those that this run used, and of the others, as many
// as there is room for, those first that were used last. They come in the order in which they stand.
func (c *Cache) keep(base *pack, generation uint32) []record {
	var all []record
	for i := range base.len() {
		r := record{id(base.id(i)), base.entry(i)}
		if _, replaced := c.news.entries[r.id]; replaced || base.marked(i, broken) || !base.holds(r.entry) {
			continue
		}
		if c.asked(base, i, r.id) {
			r.used = generation
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b record) int {
		return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(a.offset, b.offset))
	})
	room, stale := c.limits.pack-c.news.size(), c.limits.stale
	kept := all[:0]
	for _, r := range all {
		cost := int64(r.size) + int64(entrySize)
		if r.used != generation {
			if stale -= cost; stale < 0 {
				break
			}
		}
		if room -= cost; room < 0 {
			break
		}
		kept = append(kept, r)
	}
	slices.SortFunc(kept, func(a, b record) int { return cmp.Compare(a.offset, b.offset) })
	return kept
}

// asked reports whether this run used a record, be it out of the pack that was there before.
func (c *Cache) asked(base *pack, i int, of id) bool {
	if base == c.old {
		return base.marked(i, used)
	}
	at, ok := c.old.find(of)
	return ok && c.old.marked(at, used)
}
