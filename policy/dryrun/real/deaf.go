//go:build linux

package real

import (
	"fmt"
	"net/netip"
	"os"
	"syscall"
)

// deaf is a listener whose queue is full and that never accepts: the kernel leaves further connections unanswered.
type deaf struct{ files []int }

func listenDeaf(address string) (*deaf, error) {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", address, err)
	}
	to := &syscall.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
	d := &deaf{}
	fail := func(err error) (*deaf, error) {
		d.Close()
		return nil, fmt.Errorf("listening on %s without accepting: %w", address, os.NewSyscallError("socket", err))
	}
	l, err := d.socket()
	if err != nil {
		return fail(err)
	}
	if err := syscall.SetsockoptInt(l, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return fail(err)
	}
	if err := syscall.Bind(l, to); err != nil {
		return fail(err)
	}
	if err := syscall.Listen(l, 0); err != nil {
		return fail(err)
	}
	for range 2 { // the queue of a backlog of 0 has one place, and one may be half open
		c, err := d.socket()
		if err != nil {
			return fail(err)
		}
		syscall.Connect(c, to) // does not wait
	}
	return d, nil
}

func (d *deaf) socket() (int, error) {
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err == nil {
		d.files = append(d.files, s)
	}
	return s, err
}

// Close gives the address free.
func (d *deaf) Close() error {
	for _, s := range d.files {
		syscall.Close(s)
	}
	return nil
}
