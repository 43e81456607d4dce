package odb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sort"
	"sync/atomic"
)

const (
	nameLen   = len(Hash{})
	fanoutEnd = 8 + 256*4
	// trailer holds the checksums at the end of an index.
	trailer = 2 * 20
)

// index is a pack's table of contents (version 2). Names are read by their first byte, when one is first asked for, so
// that opening a large repository costs nothing.
type index struct {
	file    *os.File
	fanout  [256]uint32
	count   int64
	large   int64 // how many offsets are beyond 2 GiB
	buckets [256]atomic.Pointer[[]byte]
}

func openIndex(path string) (*index, error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	x := &index{file: f}
	if err := x.head(info.Size()); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

func (x *index) head(size int64) error {
	var head [fanoutEnd]byte
	if _, err := x.file.ReadAt(head[:], 0); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return errors.New("a pack index of an unknown version")
	}
	for i := range x.fanout {
		x.fanout[i] = binary.BigEndian.Uint32(head[8+4*i:])
		if i > 0 && x.fanout[i] < x.fanout[i-1] {
			return fmt.Errorf("%w: a pack index out of order", ErrCorrupt)
		}
	}
	x.count = int64(x.fanout[255])
	x.large = (size - fanoutEnd - x.count*int64(nameLen+4+4) - trailer) / 8
	if x.large < 0 || size < fanoutEnd+x.count*int64(nameLen+4+4)+trailer {
		return fmt.Errorf("%w: a pack index that is cut off", ErrCorrupt)
	}
	return nil
}

func nameAt(names []byte, i int) []byte { return names[i*nameLen : (i+1)*nameLen] }

// first is the number of names before those that begin with a byte.
func (x *index) first(b byte) int64 {
	if b == 0 {
		return 0
	}
	return int64(x.fanout[b-1])
}

// bucket returns the names that begin with a byte, one after the other, in order.
func (x *index) bucket(b byte) ([]byte, error) {
	if names := x.buckets[b].Load(); names != nil {
		return *names, nil
	}
	from, to := x.first(b), int64(x.fanout[b])
	names := make([]byte, (to-from)*int64(nameLen))
	if _, err := x.file.ReadAt(names, fanoutEnd+from*int64(nameLen)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	x.buckets[b].Store(&names)
	return names, nil
}

// find returns where an object begins in the pack.
func (x *index) find(id Hash) (int64, bool, error) {
	names, err := x.bucket(id[0])
	if err != nil {
		return 0, false, err
	}
	n := len(names) / nameLen
	i := sort.Search(n, func(i int) bool { return bytes.Compare(nameAt(names, i), id[:]) >= 0 })
	if i == n || !bytes.Equal(nameAt(names, i), id[:]) {
		return 0, false, nil
	}
	offsets := fanoutEnd + x.count*int64(nameLen+4)
	var b [8]byte
	if _, err := x.file.ReadAt(b[:4], offsets+4*(x.first(id[0])+int64(i))); err != nil {
		return 0, false, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	at := int64(binary.BigEndian.Uint32(b[:4]))
	if at>>31 == 0 {
		return at, true, nil
	}
	if at &= 1<<31 - 1; at >= x.large {
		return 0, false, fmt.Errorf("%w: a pack index that points beyond itself", ErrCorrupt)
	}
	if _, err := x.file.ReadAt(b[:], offsets+4*x.count+8*at); err != nil {
		return 0, false, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return int64(binary.BigEndian.Uint64(b[:]) &^ (1 << 63)), true, nil
}
