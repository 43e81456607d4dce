package git

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// errSplit says that most of the index is in another file.
var errSplit = errors.New("a split index")

// maxName is how many bytes a path in the index has at most.
const maxName = 64 << 10

// stagedEntry is an entry of the index.
type stagedEntry struct {
	path      string
	mode      Mode
	id        Hash
	stage     int
	announced bool // by git add -N
}

// parseIndex reads an index file, versions 2 to 4, with the folders that a sparse one has.
func parseIndex(data []byte) ([]stagedEntry, error) {
	cut := errors.New("it is cut off")
	body := len(data) - sha1.Size
	if body < 12 || string(data[:4]) != "DIRC" {
		return nil, errors.New("it is not an index")
	}
	// index.skipHash leaves the checksum out.
	sum := sha1.Sum(data[:body])
	if !bytes.Equal(sum[:], data[body:]) && !bytes.Equal(make([]byte, sha1.Size), data[body:]) {
		return nil, errors.New("its checksum is wrong")
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("version %d is not known", version)
	}
	d := data[12:body]
	entries := make([]stagedEntry, 0, min(int(count), len(d)/63))
	last, room := "", 2*maxIndex
	for range count {
		const fixed = 62 // ten times, sizes and ids of the file system, then the object's id and the flags
		if len(d) < fixed {
			return nil, cut
		}
		e := stagedEntry{mode: Mode(binary.BigEndian.Uint32(d[24:])), id: Hash(d[40:60])}
		flags := binary.BigEndian.Uint16(d[60:])
		e.stage = int(flags >> 12 & 3)
		head := fixed
		if flags&0x4000 != 0 && version > 2 {
			if head += 2; len(d) < head {
				return nil, cut
			}
			e.announced = binary.BigEndian.Uint16(d[62:])&(1<<13) != 0
		}
		keep := 0
		if version == 4 { // how many bytes of the last path to drop, then what to add
			drop, n := offsetNumber(d[head:])
			if n == 0 || drop > len(last) {
				return nil, cut
			}
			head, keep = head+n, len(last)-drop
		}
		end := bytes.IndexByte(d[head:], 0)
		if end < 0 {
			return nil, cut
		}
		if room -= keep + end; keep+end > maxName || room < 0 {
			return nil, errors.New("its paths are too long")
		}
		e.path = last[:keep] + string(d[head:head+end])
		if size := head + end + 1; version == 4 {
			d = d[size:]
		} else if size = (head + end + 8) &^ 7; size <= len(d) {
			d = d[size:]
		} else {
			return nil, cut
		}
		if e.path == "" {
			return nil, errSplit // an entry that stands for one of the shared index
		}
		if e.mode == Folder && !strings.HasSuffix(e.path, "/") {
			return nil, errors.New("a folder among its files")
		}
		last = e.path
		entries = append(entries, e)
	}
	for len(d) >= 8 {
		name, size := string(d[:4]), int64(binary.BigEndian.Uint32(d[4:]))
		if size > int64(len(d)-8) {
			return nil, cut
		}
		switch {
		case name == "link":
			return nil, errSplit
		case name == "sdir", name[0] >= 'A' && name[0] <= 'Z':
		default:
			return nil, fmt.Errorf("the extension %q is not known", name)
		}
		d = d[8+size:]
	}
	return entries, nil
}

// offsetNumber reads a number as packs write the distance of a base; n is 0 where it cannot be read.
func offsetNumber(b []byte) (value, n int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		if i > 0 {
			value = (value + 1) << 7
		}
		if value |= int(c & 0x7f); c < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
