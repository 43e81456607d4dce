// Command poolproof checks that every copy of a failover pool's settings says the same: the application's, the
// gateway's and the documents'.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

// gcPercent trades a little time for memory: the live heap of a run grows steadily, and the default would let it double
// before each collection. GOGC overrides it.
const gcPercent = 40

// firstCollection is how large the heap grows before anything is collected, in bytes. A run over a few files ends before.
const firstCollection = 64 << 20

// softLimit is how much memory a run uses before it collects more eagerly, in bytes: a few hostile files must not take
// what a large tree would. GOMEMLIMIT overrides it.
const softLimit = 600 << 20

func main() {
	collect()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once, whatever it waits for
	code := run(ctx, os.Args[1:], system())
	stop()
	os.Exit(code)
}

// collect sets when memory is collected: for the first time where the heap is worth it, from then on by gcPercent.
func collect() {
	limit, percent := os.Getenv("GOMEMLIMIT") == "", os.Getenv("GOGC") == ""
	switch {
	case limit && percent:
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(firstCollection)
		runtime.AddCleanup(new([16]byte), func(struct{}) { steadily() }, struct{}{})
	case limit:
		debug.SetMemoryLimit(softLimit)
	case percent:
		debug.SetGCPercent(gcPercent)
	}
}

// steadily has memory collected by gcPercent from now on, unless the environment decides. Whoever runs for long wants that
// from the start.
func steadily() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
