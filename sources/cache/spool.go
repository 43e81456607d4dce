package cache

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// flushAt is how many bytes are gathered before they are written.
const flushAt = 256 << 10

// tempExt ends the names of packs that are being written.
const tempExt = ".tmp"

// spool is a pack that is being written, under a name of its own in the folder. Readings go to the file at once, so
// that they take no memory.
type spool struct {
	file    *os.File
	written int64
	buffer  []byte // what follows
	entries map[id]entry
	taken   []record // from the pack before
}

// newSpool starts a pack that is going to be at path.
func newSpool(folder, path, header string) (*spool, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	// The file gets mode 0600.
	file, err := os.CreateTemp(folder, strings.TrimSuffix(filepath.Base(path), packExt)+"-*"+tempExt)
	if err != nil {
		return nil, err
	}
	return &spool{file: file, buffer: []byte(header), entries: map[id]entry{}}, nil
}

// end is where the next record goes.
func (s *spool) end() int64 { return s.written + int64(len(s.buffer)) }

// size is what the pack would have in bytes if it was finished now.
func (s *spool) size() int64 {
	return s.end() + int64((len(s.entries)+len(s.taken))*entrySize) + footerSize
}

// add writes a record.
func (s *spool) add(of id, payload []byte) error {
	s.entries[of] = entry{offset: s.end(), size: uint32(len(payload)), sum: checksum(of[:], payload)}
	s.buffer = append(s.buffer, payload...)
	if len(s.buffer) < flushAt {
		return nil
	}
	return s.flush()
}

func (s *spool) flush() error {
	_, err := s.file.Write(s.buffer)
	s.written += int64(len(s.buffer))
	s.buffer = s.buffer[:0]
	return err
}

// read returns a record that was added.
func (s *spool) read(of id, buffer []byte) ([]byte, bool) {
	if s == nil {
		return buffer, false
	}
	e, ok := s.entries[of]
	switch {
	case !ok:
		return buffer, false
	case e.offset >= s.written:
		return append(buffer[:0], s.buffer[e.offset-s.written:][:e.size]...), true
	}
	return e.read(s.file, of[:], buffer)
}

// take copies records from an older pack; they lie in the order of their offsets. What stands side by side there is
// copied at once, which the system does without passing it through this process where it can.
func (s *spool) take(from *pack, records []record) error {
	if err := s.flush(); err != nil {
		return err
	}
	for len(records) > 0 {
		first, end := records[0].offset, records[0].offset
		n := 0
		for ; n < len(records) && records[n].offset == end; n++ {
			r := records[n]
			end += int64(r.size)
			r.offset += s.written - first
			s.taken = append(s.taken, r)
		}
		if _, err := from.file.Seek(first, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.CopyN(s.file, from.file, end-first); err != nil {
			return fmt.Errorf("copying from the pack before: %w", err)
		}
		s.written += end - first
		records = records[n:]
	}
	return nil
}

// finish writes index and footer.
func (s *spool) finish(generation uint32) error {
	all := s.taken
	for of, e := range s.entries {
		e.used = generation
		all = append(all, record{of, e})
	}
	slices.SortFunc(all, func(a, b record) int { return bytes.Compare(a.id[:], b.id[:]) })
	at := s.end()
	index := make([]byte, 0, len(all)*entrySize)
	for i := range all {
		r := &all[i]
		index = append(index, r.id[:]...)
		index = binary.LittleEndian.AppendUint64(index, uint64(r.offset))
		for _, n := range [...]uint32{r.size, r.sum, r.used} {
			index = binary.LittleEndian.AppendUint32(index, n)
		}
	}
	foot := binary.LittleEndian.AppendUint64(nil, uint64(at))
	foot = binary.LittleEndian.AppendUint32(foot, generation)
	foot = binary.LittleEndian.AppendUint32(foot, checksum(index))
	foot = binary.LittleEndian.AppendUint32(foot, checksum(foot))
	s.buffer = append(append(s.buffer, index...), foot...)
	return s.flush()
}

// rename closes the file and puts it at path.
func (s *spool) rename(path string) error {
	if err := s.file.Close(); err != nil {
		return err
	}
	return os.Rename(s.file.Name(), path)
}

// discard removes the file.
func (s *spool) discard() {
	if s == nil {
		return
	}
	s.file.Close()
	os.Remove(s.file.Name())
}
