package odb

import (
	"fmt"
	"io"
	"math"
	"os"
)

const (
	// maxChain bounds how many deltas an object may be made of; git makes 50, and at most 4095.
	maxChain = 4096
	// maxWork bounds the bytes that are unpacked on the way to one object.
	maxWork = 4 << 30
)

// The types that stand for deltas in a pack.
const (
	offsetDelta Type = 6
	namedDelta  Type = 7
)

// pack is a pack with its index.
type pack struct {
	*index
	name string // path without its ending
	data *os.File
	pool *inflaters
}

func openPack(name string, pool *inflaters) (*pack, error) {
	x, err := openIndex(name + ".idx")
	if err != nil {
		return nil, err
	}
	data, _, err := OpenRegular(name + ".pack")
	if err != nil {
		x.file.Close()
		return nil, err
	}
	return &pack{index: x, name: name, data: data, pool: pool}, nil
}

func (p *pack) close() {
	p.file.Close()
	p.data.Close()
}

// header is what stands before an object's bytes.
type header struct {
	typ  Type
	size int64 // of the object, or of the delta
	base int64 // where a delta's base begins
	body int64 // where the packed bytes begin
}

func errHeader() error { return fmt.Errorf("%w: its header cannot be read", ErrCorrupt) }

func (p *pack) header(at int64) (header, error) {
	// A type and size take up to 10 bytes, a base's distance 10 or its name 20.
	var buf [32]byte
	n, err := p.data.ReadAt(buf[:], at)
	if at < 12 || n == 0 || err != nil && err != io.EOF {
		return header{}, fmt.Errorf("%w: %w", ErrCorrupt, io.ErrUnexpectedEOF)
	}
	b := buf[:n]
	cut := func() (c byte, ok bool) {
		if len(b) == 0 {
			return 0, false
		}
		c, b = b[0], b[1:]
		return c, true
	}
	c, _ := cut()
	h := header{typ: Type(c >> 4 & 7), size: int64(c & 15)}
	for shift := 4; c >= 0x80; shift += 7 {
		var ok bool
		if c, ok = cut(); !ok || shift > 56 {
			return header{}, errHeader()
		}
		h.size |= int64(c&0x7f) << shift
	}
	switch h.typ {
	case Commit, Tree, Blob, Tag:
	case offsetDelta:
		c, ok := cut()
		back := int64(c & 0x7f)
		for ok && c >= 0x80 && back < math.MaxInt64>>9 {
			c, ok = cut()
			back = (back+1)<<7 | int64(c&0x7f)
		}
		if !ok || c >= 0x80 || back <= 0 || back >= at {
			return header{}, errHeader()
		}
		h.base = at - back
	case namedDelta:
		if len(b) < nameLen {
			return header{}, errHeader()
		}
		base, ok, err := p.find(Hash(b[:nameLen]))
		if err != nil || !ok {
			return header{}, fmt.Errorf("%w: its base is not in the pack", ErrCorrupt)
		}
		b, h.base = b[nameLen:], base
	default:
		return header{}, errHeader()
	}
	h.body = at + int64(n-len(b))
	return h, nil
}

// inflate unpacks the bytes of an object or of a delta.
func (p *pack) inflate(h header) ([]byte, error) {
	if h.size > maxBase {
		return nil, fmt.Errorf("%w: made from %d bytes", ErrTooLarge, h.size)
	}
	f, err := p.pool.open(io.NewSectionReader(p.data, h.body, math.MaxInt64-h.body))
	if err != nil {
		return nil, err
	}
	defer p.pool.done(f)
	return f.whole(h.size)
}

// resultSize unpacks the head of a delta, which holds the size of what it makes.
func (p *pack) resultSize(h header) (int64, error) {
	f, err := p.pool.open(io.NewSectionReader(p.data, h.body, math.MaxInt64-h.body))
	if err != nil {
		return 0, err
	}
	defer p.pool.done(f)
	var head [maxDelta]byte
	n, err := io.ReadFull(f.z, head[:min(h.size, maxDelta)])
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	_, size, _, err := deltaSizes(head[:n])
	return size, err
}

// size returns the type and size of the object that begins at a place.
func (p *pack) size(at int64) (Type, int64, error) {
	h, err := p.header(at)
	if err != nil {
		return 0, 0, err
	}
	size := h.size
	if h.typ >= offsetDelta {
		if size, err = p.resultSize(h); err != nil {
			return 0, 0, err
		}
	}
	for range maxChain {
		if h.typ < offsetDelta {
			return h.typ, size, nil
		}
		if h, err = p.header(h.base); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, fmt.Errorf("%w: a chain of deltas without end", ErrCorrupt)
}

// target looks at the delta that makes the wanted object, before its bases are unpacked: what it makes may be too large.
// A small delta is unpacked whole and returned; of a large one only the head.
func (p *pack) target(h header, limit int64) (delta []byte, err error) {
	var size int64
	if h.size > 64<<10 {
		size, err = p.resultSize(h)
	} else if delta, err = p.inflate(h); err == nil {
		_, size, _, err = deltaSizes(delta)
	}
	if err == nil && size > limit {
		err = fmt.Errorf("%w: %d bytes", ErrTooLarge, size)
	}
	return delta, err
}

// read unpacks the object that begins at a place. Bases are kept for the other objects that are made from them.
func (p *pack) read(at, limit int64, bases *cache) (Type, []byte, error) {
	var chain []header
	var typ Type
	var data, first []byte
	where := place{p, at}
	for {
		var ok bool
		if len(chain) > 0 {
			if typ, data, ok = bases.get(where); ok {
				break
			}
		}
		h, err := p.header(where.at)
		if err != nil {
			return 0, nil, err
		}
		if h.typ < offsetDelta {
			if len(chain) == 0 && h.size > limit {
				return 0, nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, h.size)
			}
			if data, err = p.inflate(h); err != nil {
				return 0, nil, err
			}
			if typ = h.typ; len(chain) > 0 {
				bases.put(where, typ, data)
			}
			break
		}
		if len(chain) == 0 {
			if first, err = p.target(h, limit); err != nil {
				return 0, nil, err
			}
		}
		if len(chain) == maxChain {
			return 0, nil, fmt.Errorf("%w: a chain of deltas without end", ErrCorrupt)
		}
		chain = append(chain, h)
		where.at = h.base
	}
	work := int64(0)
	for i := len(chain) - 1; i >= 0; i-- {
		if work += int64(len(data)) + chain[i].size; work > maxWork {
			return 0, nil, fmt.Errorf("%w: made from %d bytes", ErrTooLarge, work)
		}
		delta, most := first, limit
		if i > 0 || delta == nil {
			var err error
			if delta, err = p.inflate(chain[i]); err != nil {
				return 0, nil, err
			}
		}
		if i > 0 {
			most = maxBase
		}
		next, err := applyDelta(data, delta, most)
		if err != nil {
			return 0, nil, err
		}
		data = next
		if i > 0 {
			bases.put(place{p, chain[i-1].base}, typ, data)
		}
	}
	return typ, data, nil
}
