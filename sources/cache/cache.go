// Package cache keeps what was read from files between runs, in one pack a root in the user's cache folder. A key holds
// the content, the adapter with its version, and every setting that decides a result, and a pack belongs to one build
// of the tool, so nothing that is found here is ever out of date.
//
// A cache only ever saves time: what is missing, damaged, of another build or cannot be written costs the reading of
// the files, and no more. Runs that share a pack never see a half-written one, because packs are replaced as a whole.
package cache

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/cache/codec"
	"github.com/poolproof/poolproof/sources/load"
)

// limits bound a pack, in bytes.
type limits struct {
	record int   // one reading; larger ones are not kept
	pack   int64 // a whole pack; a larger one is not looked at
	stale  int64 // readings in a pack that the last run did not ask for
}

var _ load.Cache = (*Cache)(nil)

// Cache holds the readings of one root. It is safe for concurrent use.
type Cache struct {
	folder, path, header string
	limits               limits

	old *pack // as the run found it, nil for none

	// deaf: nothing more is kept, because that failed before, or the cache is closed.
	deaf atomic.Bool
	mu   sync.Mutex // guards what follows
	news *spool     // readings of this run, nil for none yet
	err  error

	encoders, decoders sync.Pool
}

// Open returns the cache of a root, which is an absolute path, in a folder, which need not exist yet. build names the
// build of the tool; builds of different code must have different names. Open never fails: without a usable pack the
// cache is empty, and where it cannot be kept, Close says why.
func Open(folder, root, build string) *Cache {
	return open(folder, root, build, limits{record: 16 << 20, pack: 256 << 20, stale: 64 << 20})
}

func open(folder, root, build string, l limits) *Cache {
	name := sha256.Sum256([]byte(root))
	c := &Cache{
		folder: folder,
		path:   filepath.Join(folder, fmt.Sprintf("%x%s", name[:16], packExt)),
		header: fmt.Sprintf("poolproof cache %d, build %q, root %q\n", format, build, root),
		limits: l,
	}
	c.encoders.New = func() any { return new(codec.Encoder) }
	c.decoders.New = func() any { return new(decoder) }
	if err := private(folder); err != nil {
		c.fail(err)
		return c
	}
	c.old = openPack(c.path, c.header, l.pack)
	return c
}

// decoder is what one Get needs.
type decoder struct {
	codec.Decoder
	buffer []byte
}

// Get returns the reading that was kept under a key, now or by an earlier run. keep, if it is not nil, selects the copies
// by what names their pools; the others are left out.
func (c *Cache) Get(key load.Key, keep func(*schema.Copy) bool) (load.Reading, bool) {
	id := identify(key)
	d := c.decoders.Get().(*decoder)
	defer c.decoders.Put(d)
	if i, ok := c.old.find(id); ok {
		payload, found := c.old.read(i, d.buffer)
		if r, ok := d.decode(payload, found, keep); ok {
			c.old.mark(i, used)
			return r, true
		}
		c.old.mark(i, broken)
	}
	if c.deaf.Load() {
		return load.Reading{}, false
	}
	c.mu.Lock()
	payload, ok := c.news.read(id, d.buffer)
	c.mu.Unlock()
	return d.decode(payload, ok, keep)
}

// decode takes what a record's read returned, and keeps its buffer for the next.
func (d *decoder) decode(payload []byte, ok bool, keep func(*schema.Copy) bool) (load.Reading, bool) {
	d.buffer = payload[:0]
	if !ok {
		return load.Reading{}, false
	}
	r, err := d.Decode(payload, keep)
	return r, err == nil
}

// Put keeps a reading, in place of an earlier one.
func (c *Cache) Put(key load.Key, r load.Reading) {
	if c.deaf.Load() {
		return
	}
	e := c.encoders.Get().(*codec.Encoder)
	defer c.encoders.Put(e)
	payload := e.Encode(&r)
	if len(payload) > c.limits.record {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deaf.Load() {
		return
	}
	if c.news == nil {
		news, err := newSpool(c.folder, c.path, c.header)
		if err != nil {
			c.fail(err)
			return
		}
		c.news = news
	}
	if c.news.size()+int64(len(payload)+entrySize) > c.limits.pack {
		return
	}
	if err := c.news.add(identify(key), payload); err != nil {
		c.fail(err)
	}
}

// fail gives up on keeping anything. The caller holds mu, or is alone.
func (c *Cache) fail(err error) {
	c.deaf.Store(true)
	if c.err == nil {
		c.err = fmt.Errorf("keeping results in %s: %w", c.folder, err)
	}
	c.news.discard()
	c.news = nil
}

// Close keeps the readings of this run for the next ones. Nothing is written where nothing new was put. The error says
// why nothing could be kept, which is no reason to fail a run. Later calls of Get find nothing.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.news != nil {
		if err := c.replace(); err != nil {
			c.fail(err)
		}
		c.news = nil
	}
	c.deaf.Store(true)
	c.old.close()
	return c.err
}

// identify makes one number of a key.
func identify(key load.Key) id {
	var both [2 * sha256.Size]byte
	copy(both[copy(both[:], key.Content[:]):], key.Reader[:])
	return sha256.Sum256(both[:])
}
