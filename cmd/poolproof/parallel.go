package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// inParallel does something n times, on all cores, and begins nothing more once the context is done. A panic is handed to
// the caller: elsewhere it would end the process with the exit code of the Go runtime.
func inParallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var defect atomic.Pointer[string]
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
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
		}()
	}
	wg.Wait()
	if text := defect.Load(); text != nil {
		panic(*text)
	}
	return ctx.Err()
}
