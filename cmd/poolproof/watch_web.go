package main

import (
	"context"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/web"
)

// listenWeb takes the address of the status page. A port that is taken is a reason to stop: somebody else would answer to
// those who ask how the watch is.
func listenWeb(ctx context.Context, addr string, o web.Options) (*web.Server, error) {
	server, err := web.Listen(ctx, addr, o)
	if err != nil {
		return nil, notChecked("the status page cannot be served: %w; name a free address (127.0.0.1:0 takes any free port)", err)
	}
	return server, nil
}
