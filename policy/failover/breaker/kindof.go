package breaker

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// StatusCoder is an error that carries the status of an answer.
type StatusCoder interface {
	StatusCode() int
}

// KindOf reads how a call ended from its error and from the context of whoever wanted its answer, not from a context
// that the call derived for a limit of its own. If that context is done, the call was given up, whatever its error says:
// the error may be the cause of the cancellation instead of context.Canceled, or a time-out that is not the caller's own.
// A nil error is an answer.
func KindOf(ctx context.Context, err error) Kind {
	var op *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil:
		return Answered
	case Refused(err):
		return Rejected
	case ctx != nil && ctx.Err() != nil, errors.Is(err, context.Canceled):
		return Cancel
	case errors.As(err, &op) && op.Op == "dial", errors.Is(err, syscall.ECONNREFUSED):
		return Connect
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return Timeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Reset
	}
	return Unknown
}

// Of classifies a call by its error, in the context of whoever wanted the answer: by the status of a StatusCoder, else
// by KindOf. A nil error is a success.
func (c *Classifier) Of(ctx context.Context, err error, latency time.Duration) Result {
	if err == nil {
		return Result{Class: Success, Latency: latency}
	}
	kind := KindOf(ctx, err)
	var coder StatusCoder
	if kind != Cancel && errors.As(err, &coder) {
		return c.Result(coder.StatusCode(), Answered, latency)
	}
	return c.Result(0, kind, latency)
}

// Do asks a breaker for a permit, makes the call, and reports what became of it as the classifier reads it. The error is
// the refusal, see Refused, or that of the call. A call that panics or ends its goroutine is reported as Unknown, so that
// its slot is not lost, and the panic goes on.
func Do(ctx context.Context, b Breaker, clock Clock, c *Classifier, call func(context.Context) error) error {
	start := clock.Now()
	p, err := b.Permit(start)
	if err != nil {
		return err
	}
	returned := false
	defer func() {
		now := clock.Now()
		r := c.Result(0, Unknown, now-start)
		if returned {
			r = c.Of(ctx, err, now-start)
		}
		b.Report(now, p, r)
	}()
	err = call(ctx)
	returned = true
	return err
}
