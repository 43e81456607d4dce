// Command poolproof checks that every copy of a failover pool's settings says the same: the application's, the
// gateway's and the documents'.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// gcPercent trades a little time for memory: the live heap of a run grows steadily, and the default would let it double
// before each collection. GOGC overrides it.
const gcPercent = 50

// softLimit is how much memory a run uses before it collects more eagerly, in bytes: a few hostile files must not take
// what a large tree would. GOMEMLIMIT overrides it.
const softLimit = 600 << 20

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once, whatever it waits for
	code := run(ctx, os.Args[1:], system())
	stop()
	os.Exit(code)
}
