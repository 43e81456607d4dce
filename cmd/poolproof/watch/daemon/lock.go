package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrLocked says that another process uses a state folder.
var ErrLocked = errors.New("another poolproof uses it")

// Lock takes a state folder, which it makes, for this process. Release gives it back; it is never nil. Errors other than
// ErrLocked say that the folder cannot be written, so that nobody can be kept out.
func Lock(dir string) (release func(), err error) {
	none := func() {}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return none, fmt.Errorf("the state folder %s: %w", dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return none, fmt.Errorf("the state folder %s: %w", dir, err)
	}
	if err := lock(f); err != nil {
		f.Close()
		return none, fmt.Errorf("the state folder %s: %w", dir, err)
	}
	return func() { f.Close() }, nil
}
