package cache

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"sync/atomic"
	"syscall"
)

// A pack is a line that names format, build and root, the records one after the other, an index with an entry for each
// in the order of their ids, and a footer with the place of the index. Numbers are little-endian. Only the index is
// held in memory.
const (
	format  = 1
	packExt = ".pack"

	// An entry: id, offset (8), size (4), sum of id and record (4), generation in which it was last used (4).
	entrySize = len(id{}) + 8 + 4 + 4 + 4
	// The footer: offset of the index (8), generation (4), sum of the index (4), sum of the footer (4).
	footerSize = 8 + 4 + 4 + 4
)

// id is the digest of a key.
type id [32]byte

// entry is where a record stands in a pack.
type entry struct {
	offset    int64
	size, sum uint32
	// used is the generation of the pack that last had a use for it; each new pack of a root is one generation.
	used uint32
}

// Marks of an entry.
const (
	untouched uint32 = iota
	used
	broken
)

// pack is an open pack. The methods of a nil pack find nothing.
type pack struct {
	file       *os.File
	info       os.FileInfo
	start, end int64 // of the records
	index      []byte
	marks      []atomic.Uint32 // of each entry
	generation uint32
}

// openPack opens the pack at path if it is whole and starts with header, and returns nil otherwise. It is opened
// without blocking, so that a pipe in its place cannot hang the run.
func openPack(path, header string, most int64) *pack {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	p := &pack{file: file, start: int64(len(header))}
	if !p.open(header, most) {
		p.close()
		return nil
	}
	return p
}

func (p *pack) open(header string, most int64) bool {
	var err error
	if p.info, err = p.file.Stat(); err != nil || !p.info.Mode().IsRegular() {
		return false
	}
	size := p.info.Size()
	if size < p.start+footerSize || size > most {
		return false
	}
	head, foot := make([]byte, len(header)), make([]byte, footerSize)
	if !readFull(p.file, head, 0) || string(head) != header || !readFull(p.file, foot, size-footerSize) {
		return false
	}
	sums := footerSize - 4
	if checksum(foot[:sums]) != binary.LittleEndian.Uint32(foot[sums:]) {
		return false
	}
	at := binary.LittleEndian.Uint64(foot)
	p.generation = binary.LittleEndian.Uint32(foot[8:])
	if at < uint64(p.start) || at > uint64(size-footerSize) || (size-footerSize-int64(at))%int64(entrySize) != 0 {
		return false
	}
	p.end = int64(at)
	p.index = make([]byte, size-footerSize-p.end)
	if !readFull(p.file, p.index, p.end) || checksum(p.index) != binary.LittleEndian.Uint32(foot[12:]) {
		return false
	}
	p.marks = make([]atomic.Uint32, len(p.index)/entrySize)
	return true
}

func (p *pack) close() {
	if p != nil {
		p.file.Close()
	}
}

func (p *pack) len() int {
	if p == nil {
		return 0
	}
	return len(p.marks)
}

func (p *pack) id(i int) []byte { return p.index[i*entrySize:][:len(id{})] }

func (p *pack) entry(i int) entry {
	b := p.index[i*entrySize+len(id{}):][:entrySize-len(id{})]
	return entry{
		offset: int64(binary.LittleEndian.Uint64(b)), size: binary.LittleEndian.Uint32(b[8:]),
		sum: binary.LittleEndian.Uint32(b[12:]), used: binary.LittleEndian.Uint32(b[16:]),
	}
}

// find returns the number of a record's entry.
func (p *pack) find(of id) (int, bool) {
	low, high := 0, p.len()
	for low < high {
		middle := int(uint(low+high) / 2)
		switch bytes.Compare(p.id(middle), of[:]) {
		case 0:
			return middle, true
		case -1:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}

// read returns the bytes of an entry's record in the buffer, or in a larger one.
func (p *pack) read(i int, buffer []byte) ([]byte, bool) {
	e := p.entry(i)
	if !p.holds(e) {
		return buffer, false
	}
	return e.read(p.file, p.id(i), buffer)
}

// holds reports whether an entry's record lies among the records.
func (p *pack) holds(e entry) bool {
	return e.offset >= p.start && e.offset <= p.end && int64(e.size) <= p.end-e.offset
}

// read returns the record from a file, if it is the one that was written.
func (e entry) read(file *os.File, id, buffer []byte) ([]byte, bool) {
	if cap(buffer) < int(e.size) {
		buffer = make([]byte, e.size+e.size/4)
	}
	buffer = buffer[:e.size]
	return buffer, readFull(file, buffer, e.offset) && checksum(id, buffer) == e.sum
}

func (p *pack) mark(i int, as uint32) { p.marks[i].Store(as) }

func (p *pack) marked(i int, as uint32) bool { return p.marks[i].Load() == as }

func readFull(file *os.File, b []byte, at int64) bool {
	n, _ := file.ReadAt(b, at)
	return n == len(b)
}

// checksum guards against damage, not against people: the folder is the user's own.
func checksum(parts ...[]byte) uint32 {
	sum := uint32(0)
	for _, part := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), part)
	}
	return sum
}
