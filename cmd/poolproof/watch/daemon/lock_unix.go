//go:build unix && !solaris && !aix

package daemon

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file until it is closed or the process ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
