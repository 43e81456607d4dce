package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

const recordExt = ".run"

// maxRecord is the size in bytes above which the record of a run is neither kept nor looked at.
const maxRecord = 256 << 20

// Record keeps the outcome of one run whole, under a name that says what ran. What is in it is the caller's business; a
// record is found again only whole, undamaged, and of the same build.
type Record struct {
	folder, path, header string
}

// OpenRecord names the record of a run: build is the build of the tool, name everything that decides the outcome besides
// what was read (the root, the command, its flags).
func OpenRecord(folder, build, name string) *Record {
	sum := sha256.Sum256([]byte(name))
	return &Record{folder, filepath.Join(folder, fmt.Sprintf("%x%s", sum[:16], recordExt)), fmt.Sprintf("poolproof run %d, build %q, %q\n", format, build, name)}
}

// Get returns what was kept, and false where there is nothing, or something else than Put wrote.
func (r *Record) Get() ([]byte, bool) {
	if private(r.folder) != nil {
		return nil, false
	}
	f, err := os.OpenFile(r.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRecord {
		return nil, false
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(data, []byte(r.header))
	if !ok || len(rest) < 4 {
		return nil, false
	}
	payload := rest[4:]
	if checksum(payload) != binary.LittleEndian.Uint32(rest) {
		return nil, false
	}
	return payload, true
}

// Put keeps an outcome in place of an earlier one. The error is no reason to fail a run.
func (r *Record) Put(payload []byte) error {
	if len(payload) > maxRecord/2 {
		return nil
	}
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return fmt.Errorf("keeping the outcome: %w", err)
	}
	if err := private(r.folder); err != nil {
		return fmt.Errorf("keeping the outcome in %s: %w", r.folder, err)
	}
	f, err := os.CreateTemp(r.folder, "*"+tempExt)
	if err != nil {
		return fmt.Errorf("keeping the outcome: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(binary.LittleEndian.AppendUint32([]byte(r.header), checksum(payload)), payload...))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), r.path)
	}
	if err != nil {
		return fmt.Errorf("keeping the outcome: %w", err)
	}
	return nil
}
