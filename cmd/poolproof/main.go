// Command poolproof checks that every copy of a failover pool's settings says the same: the application's, the
// gateway's and the documents'.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], system())
	stop()
	os.Exit(code)
}
