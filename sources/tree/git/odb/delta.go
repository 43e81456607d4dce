package odb

import "fmt"

// maxDelta is the most bytes that the two sizes at the head of a delta take.
const maxDelta = 20

// deltaSizes reads the head of a delta: the sizes of its base and of its result, and what follows.
func deltaSizes(d []byte) (base, result int64, rest []byte, err error) {
	var sizes [2]int64
	for i := range sizes {
		shift := 0
		for {
			if len(d) == 0 || shift > 56 {
				return 0, 0, nil, fmt.Errorf("%w: a delta without sizes", ErrCorrupt)
			}
			b := d[0]
			d = d[1:]
			sizes[i] |= int64(b&0x7f) << shift
			shift += 7
			if b < 0x80 {
				break
			}
		}
	}
	return sizes[0], sizes[1], d, nil
}

// applyDelta makes an object from its base: a delta copies ranges of the base and inserts bytes of its own.
func applyDelta(base, d []byte, limit int64) ([]byte, error) {
	from, size, d, err := deltaSizes(d)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, fmt.Errorf("%w: a delta for another base", ErrCorrupt)
	}
	if size > limit {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, size)
	}
	out := make([]byte, 0, size)
	for len(d) > 0 {
		op := d[0]
		d = d[1:]
		if op == 0 {
			return nil, fmt.Errorf("%w: a reserved delta instruction", ErrCorrupt)
		}
		if op < 0x80 {
			if int(op) > len(d) || len(out)+int(op) > cap(out) {
				return nil, fmt.Errorf("%w: a delta that runs over", ErrCorrupt)
			}
			out = append(out, d[:op]...)
			d = d[op:]
			continue
		}
		var at, n int64
		for bit := range 7 {
			if op&(1<<bit) == 0 {
				continue
			}
			if len(d) == 0 {
				return nil, fmt.Errorf("%w: a delta that is cut off", ErrCorrupt)
			}
			if bit < 4 {
				at |= int64(d[0]) << (8 * bit)
			} else {
				n |= int64(d[0]) << (8 * (bit - 4))
			}
			d = d[1:]
		}
		if n == 0 {
			n = 0x10000
		}
		if at+n > int64(len(base)) || int64(len(out))+n > size {
			return nil, fmt.Errorf("%w: a delta that runs over", ErrCorrupt)
		}
		out = append(out, base[at:at+n]...)
	}
	if int64(len(out)) != size {
		return nil, fmt.Errorf("%w: a delta that falls short", ErrCorrupt)
	}
	return out, nil
}
