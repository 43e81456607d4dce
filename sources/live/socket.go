package live

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// Line is a connection to a command-line interface that answers one command and hangs up.
type Line struct {
	network, address string
	max              int64
}

// Line returns a command line at unix:/path or tcp:host:port.
func (t *Target) Line() (*Line, error) {
	network, address, err := t.Socket()
	if err != nil {
		return nil, err
	}
	return &Line{network, address, t.options.MaxBytes}, nil
}

// Ask sends one command and returns all that comes back until the other end hangs up.
func (l *Line) Ask(ctx context.Context, command string) ([]byte, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, l.network, l.address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	// A context that ends, by time or by hand, ends the reading.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := io.WriteString(conn, command+"\n"); err != nil {
		return nil, ended(ctx, err)
	}
	answer, err := io.ReadAll(io.LimitReader(conn, l.max+1))
	if err != nil {
		return nil, ended(ctx, err)
	}
	if int64(len(answer)) > l.max {
		return nil, tooLarge(l.max)
	}
	return answer, nil
}

// ended returns the context's error where that is why a connection broke.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}
