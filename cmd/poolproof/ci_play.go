package main

import (
	"context"

	"github.com/poolproof/poolproof/policy/change"
)

// play plays the pools that a change touches, before and after.
func (s *span) play(ctx context.Context, c *change.Change) error { return ctx.Err() }
