// Package disk writes what has to survive a crash or a loss of power.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is where state is written. Tests give one that is full.
type Disk interface {
	// Replace puts a whole new file in the place of an old one, makes its folder where there is none, and syncs both: a
	// crash leaves the old file or the new one. Where there is an error, the old one still stands.
	Replace(path string, text []byte) error
	// Open opens a file for writing at any place. It makes the file, and its folder, where there is none.
	Open(path string) (File, error)
}

// File is a file that is open for writing.
type File interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Read reads a file that Replace or Open made. Whatever else stands in its place is not opened: a pipe would never end.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	return os.ReadFile(path)
}

// Real returns the disk of the machine.
func Real() Disk { return machine{} }

// Temporary is the pattern of the files that Replace writes first. Those of a process that was killed may be removed.
const Temporary = ".new-*"

type machine struct{}

func (machine) Open(path string) (File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err // not f, which would be no nil interface
	}
	return f, nil
}

func (machine) Replace(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, Temporary)
	if err != nil {
		return of(path, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return of(path, err)
	}
	return SyncFolder(dir)
}

// of returns an error as one of the file that was to be written: the name of the temporary one is new each time, and would
// make the same trouble look like a new one.
func of(path string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return &fs.PathError{Op: file.Op, Path: path, Err: file.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	return err
}

// SyncFolder makes the names in a folder durable. A folder that cannot be read is no error: what is in it is in place.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	return d.Sync()
}

// Clean removes what killed processes left in a folder.
func Clean(dir string) {
	left, err := filepath.Glob(filepath.Join(dir, Temporary))
	if err != nil {
		return
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
}
