package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/poolproof/poolproof/cmd/poolproof/patch"
	"github.com/poolproof/poolproof/schema"
)

// errChanged: a file is no longer as it was read.
type errChanged struct{}

func (errChanged) Error() string { return errChanged{}.In("en") }

// In says so in a language.
func (errChanged) In(lang string) string {
	return schema.Textf("it changed since it was read; run align again", "读取之后文件已变化；请重新运行 align").In(lang)
}

// makeEdits writes the edited files. A file that cannot be written is left with its edits, and the others are written all
// the same.
func (a *aligner) makeEdits(ctx context.Context) error {
	if len(a.files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(a.readers.root)
	if err != nil {
		return notChecked("%w", err)
	}
	defer root.Close()
	for _, f := range a.files {
		if err := ctx.Err(); err != nil {
			return notChecked("writing: %w", err)
		}
		if err := replaceFile(root, f.path, f.old, patch.Apply(f.old, f.changes())); err != nil {
			a.notWritten(f, err)
			continue
		}
		f.written = true
	}
	return nil
}

// notWritten leaves the edits of a file.
func (a *aligner) notWritten(f *alignedFile, err error) {
	why := schema.Text{En: "not written: " + inWords(bare(err), "en"), Zh: "未写入：" + inWords(bare(err), "zh")}
	for i := range f.edits {
		e := &f.edits[i]
		a.left = append(a.left, leftOver{at: f.places[i], pool: e.Pool, env: e.Env, item: e.Item, got: f.replaced(i), want: e.New, why: why, edit: e.Settles})
	}
}

// changes are the edits of a file.
func (f *alignedFile) changes() []patch.Change {
	out := make([]patch.Change, len(f.edits))
	for i, e := range f.edits {
		out[i] = patch.Change{Start: e.Start, End: e.End, New: e.New}
	}
	return out
}

// replaced is the text that an edit replaces.
func (f *alignedFile) replaced(i int) string { return string(f.old[f.edits[i].Start:f.edits[i].End]) }

// replaceFile puts a new text in place of a file whose text is still the old one: into a file beside it, which takes over
// its mode and owner, reaches the disk, and is renamed. What is no regular file, may not be written, or leads out of the
// root is refused.
func replaceFile(root *os.Root, name string, old, text []byte) (err error) {
	name = filepath.FromSlash(name)
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // the name is the file's own, behind all links
		return errChanged{}
	}
	// Opened for writing, so that a file that its owner has closed to writing is not replaced behind his back.
	own, err := root.OpenFile(name, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer own.Close()
	if now, err := own.Stat(); err != nil || !os.SameFile(info, now) {
		return errors.Join(err, errChanged{})
	}
	beside, temporary, err := besideIn(root, name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(root.Remove(temporary)))
		}
	}()
	_, err = beside.Write(text)
	if err = errors.Join(err, beside.Chmod(info.Mode()), sameOwner(beside, info), beside.Sync(), beside.Close()); err != nil {
		return err
	}
	// Whoever saves the file in the meantime keeps what he saved.
	if now, err := io.ReadAll(io.LimitReader(own, int64(len(old))+1)); err != nil || !bytes.Equal(now, old) {
		return errors.Join(err, errChanged{})
	}
	if now, err := root.Lstat(name); err != nil || !os.SameFile(info, now) {
		return errors.Join(err, errChanged{})
	}
	if err = root.Rename(temporary, name); err != nil {
		return err
	}
	dir, err := root.Open(path.Dir(filepath.ToSlash(name)))
	if err != nil {
		return nil // the file is in its place
	}
	defer dir.Close()
	_ = dir.Sync() // not every file system can
	return nil
}

// besideIn makes a new file in the folder of another one.
func besideIn(root *os.Root, name string) (*os.File, string, error) {
	for i := os.Getpid(); ; i++ {
		temporary := filepath.Join(filepath.Dir(name), ".poolproof-"+strconv.Itoa(i))
		f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, temporary, err
		}
	}
}

// sameOwner gives a file the owner and group of another one, where they are not those of the process.
func sameOwner(f *os.File, as os.FileInfo) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	a, ok := as.Sys().(*syscall.Stat_t)
	b, ok2 := mine.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || a.Uid == b.Uid && a.Gid == b.Gid {
		return nil
	}
	return errors.Join(f.Chown(int(a.Uid), int(a.Gid)), f.Chmod(as.Mode()))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
