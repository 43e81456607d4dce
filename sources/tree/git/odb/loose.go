package odb

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"strconv"
)

// readLoose reads an object that is a file of its own.
func readLoose(path string, limit int64, pool *inflaters) (Type, []byte, error) {
	var data []byte
	typ, _, err := openLoose(path, pool, func(f *inflater, size int64) (err error) {
		if size > limit {
			return fmt.Errorf("%w: %d bytes", ErrTooLarge, size)
		}
		data, err = f.whole(size)
		return err
	})
	return typ, data, err
}

func sizeLoose(path string, pool *inflaters) (Type, int64, error) {
	return openLoose(path, pool, func(*inflater, int64) error { return nil })
}

// openLoose reads the header, "blob 12" and a NUL, and hands over the rest.
func openLoose(path string, pool *inflaters, rest func(*inflater, int64) error) (Type, int64, error) {
	file, _, err := OpenRegular(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	f, err := pool.open(file)
	if err != nil {
		return 0, 0, err
	}
	defer pool.done(f)
	var head [32]byte
	for n := range head {
		if _, err := io.ReadFull(f.z, head[n:n+1]); err != nil {
			return 0, 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if head[n] != 0 {
			continue
		}
		name, digits, _ := bytes.Cut(head[:n], []byte(" "))
		size, err := strconv.ParseInt(string(digits), 10, 64)
		for typ := Commit; typ <= Tag; typ++ {
			if err == nil && size >= 0 && typ.String() == string(name) {
				return typ, size, rest(f, size)
			}
		}
		break
	}
	return 0, 0, errHeader()
}

// Name is an object's name.
func Name(t Type, data []byte) Hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", t, len(data))
	h.Write(data)
	return Hash(h.Sum(nil))
}
