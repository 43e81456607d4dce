package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// writeFile writes a whole report; see writeTo.
func writeFile(name string, data []byte) error {
	return writeTo(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeTo lets write put a report into a file. A regular file is written beside its place and renamed, so that a full disk
// or a failing write leaves no half report that looks whole; a device or pipe is written to, and a link is followed.
func writeTo(name string, write func(io.Writer) error) error {
	if err := writeReport(name, write); err != nil {
		return fmt.Errorf("writing %s: %w", name, bare(err))
	}
	return nil
}

func writeReport(name string, write func(io.Writer) error) error {
	if openAlready(name) { // renaming would cut it off from whoever opened it
		return writeInPlace(name, os.O_APPEND, write)
	}
	name, err := followLinks(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0)
	switch info, err := os.Stat(name); {
	case err == nil && info.Mode().Type() == fs.ModeNamedPipe:
		return writePipe(name, write)
	case err == nil && !info.Mode().IsRegular():
		return writeInPlace(name, 0, write)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	beside, err := createBeside(name)
	if err != nil {
		// A folder that takes no new files may still hold a file that can be written.
		if mode != 0 && errors.Is(err, fs.ErrPermission) {
			return writeInPlace(name, os.O_TRUNC, write)
		}
		return err
	}
	defer os.Remove(beside.Name())
	err = buffered(beside, write)
	if mode != 0 {
		err = errors.Join(err, beside.Chmod(mode))
	}
	if err = errors.Join(err, beside.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), name)
}

// openAlready reports whether a name stands for something that the process was started with.
func openAlready(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stderr" || name == "/dev/stdout" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// maxLinks is how many links in a row are followed.
const maxLinks = 40

// followLinks returns the file that a name leads to. It need not exist: a link may lead to a file that is still to come.
func followLinks(name string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, nil // what is wrong with it is said when it is opened
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// The links of the folder count before its "..", as they do for the system.
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		name = to
	}
	return "", errors.New("too many links in a row")
}

func buffered(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(f, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

func writeInPlace(name string, flag int, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

// pipeWait is how long a named pipe may be without a reader, who may just be starting.
const pipeWait = 2 * time.Second

// writePipe writes to a named pipe. Opening one that nobody reads would wait for ever.
func writePipe(name string, write func(io.Writer) error) error {
	for end := time.Now().Add(pipeWait); ; time.Sleep(20 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case err == nil:
			return errors.Join(buffered(f, write), f.Close())
		case !errors.Is(err, syscall.ENXIO):
			return err
		case time.Now().After(end):
			return errors.New("nobody reads this pipe")
		}
	}
}

// createBeside makes a new file in the folder of name. os.CreateTemp would make it readable by its owner alone; a report
// gets what the user's mask allows.
func createBeside(name string) (*os.File, error) {
	dir := filepath.Dir(name)
	for i := os.Getpid(); ; i++ {
		f, err := os.OpenFile(filepath.Join(dir, ".poolproof-"+strconv.Itoa(i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
