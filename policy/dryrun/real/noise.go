//go:build linux

package real

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// Hurry asks the kernel to let this process and the programs that it starts go before all others, so that a busy
// machine keeps neither the programs nor the traffic waiting. It reports whether that was granted, which takes the right
// to do so; where it is not, all stays as it is.
func Hurry() bool {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return false
	}
	const roundRobin, priority = 2, 1 // SCHED_RR, the lowest of its priorities
	param := struct{ priority int32 }{priority}
	for _, t := range tasks {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		if _, _, e := syscall.Syscall(syscall.SYS_SCHED_SETSCHEDULER, uintptr(id), roundRobin, uintptr(unsafe.Pointer(&param))); e != 0 {
			return false
		}
	}
	return true
}

// awaitCalm waits until the machine has been in time for two seconds, but not longer than patience.
func awaitCalm(ctx context.Context) {
	const (
		patience = 2 * time.Minute
		step     = 5 * time.Millisecond
		long     = 2 * time.Second
	)
	begin := time.Now()
	for since := begin; time.Since(since) < long && time.Since(begin) < patience && ctx.Err() == nil; {
		before := time.Now()
		time.Sleep(step)
		if time.Since(before) > step+calm {
			since = time.Now()
		}
	}
}
