package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// writeFile writes a report. A regular file is written beside its place and renamed, so that a full disk leaves no half
// report that looks whole; a device or pipe is written to, and a link is followed.
func writeFile(name string, data []byte) error {
	if err := writeReport(name, data); err != nil {
		return fmt.Errorf("writing %s: %w", name, bare(err))
	}
	return nil
}

func writeReport(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0)
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return writeInPlace(name, data)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	beside, err := createBeside(name)
	if err != nil {
		// A folder that takes no new files may still hold a file that can be written.
		if mode != 0 && errors.Is(err, fs.ErrPermission) {
			return writeInPlace(name, data)
		}
		return err
	}
	defer os.Remove(beside.Name())
	_, err = beside.Write(data)
	if mode != 0 {
		err = errors.Join(err, beside.Chmod(mode))
	}
	if err = errors.Join(err, beside.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), name)
}

func writeInPlace(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
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
