package odb

import (
	"bufio"
	"compress/zlib"
	"fmt"
	"io"
	"sync"
)

// inflater is a zlib reader with its buffer, kept for the next object: making one costs more than reading a small object.
type inflater struct {
	in *bufio.Reader
	z  io.ReadCloser
}

// inflaters keeps a few for the next objects.
type inflaters struct {
	mu   sync.Mutex
	free []*inflater
}

// maxFree is how many are kept: more than read at once on most machines.
const maxFree = 32

func (p *inflaters) take() *inflater {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		f := p.free[n-1]
		p.free = p.free[:n-1]
		return f
	}
	return &inflater{in: bufio.NewReaderSize(nil, 4096)}
}

// open begins to unpack what r holds.
func (p *inflaters) open(r io.Reader) (*inflater, error) {
	f := p.take()
	f.in.Reset(r)
	var err error
	if f.z == nil {
		f.z, err = zlib.NewReader(f.in)
	} else {
		err = f.z.(zlib.Resetter).Reset(f.in, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return f, nil
}

func (p *inflaters) done(f *inflater) {
	f.in.Reset(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < maxFree {
		p.free = append(p.free, f)
	}
}

// whole reads exactly size bytes, after which the stream must end with the right checksum.
func (f *inflater) whole(size int64) ([]byte, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(f.z, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	var more [1]byte
	if n, err := f.z.Read(more[:]); n != 0 || err != io.EOF {
		return nil, fmt.Errorf("%w: it is not as long as it says", ErrCorrupt)
	}
	return data, nil
}
