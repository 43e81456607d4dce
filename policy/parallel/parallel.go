// Package parallel does the same for many things on all cores.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do does something n times, for each i from 0 up to n, on some workers at once, and begins nothing more once the context is
// done, whose error it returns then. No workers mean one a core. A panic is handed to the caller, with its stack: elsewhere
// it would end the process with the exit code of the Go runtime.
func Do(ctx context.Context, workers, n int, do func(i int)) error {
	return Start(ctx, workers, n, do)()
}

// Start begins what Do does. What it returns waits for the end, and has to be called.
func Start(ctx context.Context, workers, n int, do func(i int)) (wait func() error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var group sync.WaitGroup
	var defect atomic.Pointer[string]
	for range min(workers, n) {
		group.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					text := fmt.Sprintf("%v\n%s", cause, debug.Stack())
					defect.CompareAndSwap(nil, &text)
				}
			}()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	return func() error {
		group.Wait()
		if text := defect.Load(); text != nil {
			panic(*text)
		}
		return ctx.Err()
	}
}
