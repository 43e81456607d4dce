//go:build unix

package cache

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestFull: the disk takes no more, which a bound on the size of files stands for. The pack before is left alone.
//
// The bound holds for the whole process, the log of go test included, so the test runs in a process of its own.
func TestFull(t *testing.T) {
	const inside = "POOLPROOF_TEST_FULL"
	if os.Getenv(inside) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestFull$")
		c.Env = append(os.Environ(), inside+"=1")
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	folder := t.TempDir()
	keep(t, folder, 0, 3)
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	})
	tight := before
	tight.Cur = 64 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &tight); err != nil {
		t.Fatal(err)
	}
	// The bound is hit while readings are put, or only when the pack is completed.
	for _, n := range []int{2000, 300} {
		c := Open(folder, root, build)
		want(t, c, 0, 3, 3)
		for i := range n {
			c.Put(key(10+i), reading(10+i))
		}
		want(t, c, 0, 3, 3)
		if early := c.err != nil; early != (n == 2000) {
			t.Errorf("with %d readings: %v", n, c.err)
		}
		if err := c.Close(); err == nil || !strings.Contains(err.Error(), "file too large") {
			t.Errorf("with %d readings: %v", n, err)
		}
		whole(t, folder)
		want(t, Open(folder, root, build), 0, 20, 3)
	}
}
