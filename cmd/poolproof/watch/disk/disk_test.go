package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReplace holds that a file is replaced as a whole, with its folder made, and that a failure leaves the old one and
// no litter.
func TestReplace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	file := filepath.Join(dir, "f")
	for _, text := range []string{"one", "two, longer", ""} {
		if err := Real().Replace(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "g"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Real().Replace(filepath.Join(dir, "g"), []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := Real().Replace(filepath.Join(file, "below"), nil); err == nil {
		t.Error("written below a file")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, Temporary)); len(left) > 0 {
		t.Error("left over:", left)
	}
}

// TestClean holds that what killed processes left goes, and nothing else.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".new-123", "drift.json", "new-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Clean(dir)
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Error(list)
	}
}

// TestOpen holds that a failure is no file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	f, err := Real().Open(filepath.Join(dir, "a", "log"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if f, err := Real().Open(dir); err == nil || f != nil {
		t.Error(f, err)
	}
}

// TestSameError: the same trouble has the same words each time, so that it is told once.
func TestSameError(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.Mkdir(taken, 0o700); err != nil {
		t.Fatal(err)
	}
	first, second := Real().Replace(taken, nil), Real().Replace(taken, nil)
	if first == nil || second == nil || first.Error() != second.Error() || !errors.Is(first, fs.ErrExist) {
		t.Errorf("%v, then %v", first, second)
	}
	long := filepath.Join(dir, strings.Repeat("x", 300), "file")
	if err := Real().Replace(long, nil); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Error(err)
	}
}
