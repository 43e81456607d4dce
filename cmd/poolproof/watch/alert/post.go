package alert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Later is an error that says when to try again at the earliest.
type Later struct {
	After time.Duration
	Err   error
}

// Error says why.
func (l *Later) Error() string { return l.Err.Error() }

// Unwrap returns the cause.
func (l *Later) Unwrap() error { return l.Err }

// maxLater bounds what a receiver may ask for.
const maxLater = time.Hour

// NewClient returns a client that follows no redirect, with the proxy of the environment: chats are outside.
func NewClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConns: 16, IdleConnTimeout: time.Minute},
	}
}

// longest returns how long the receivers that failed want to be left alone.
func longest(err error) time.Duration {
	var longestOf time.Duration
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range list.Unwrap() {
			longestOf = max(longestOf, longest(one))
		}
		return longestOf
	}
	var later *Later
	if errors.As(err, &later) {
		return later.After
	}
	return 0
}

// send encodes a batch and delivers all of its messages; of several receivers, one that fails does not keep the message
// from the others. One that does not answer, or wants to be left alone, is not asked again for the rest of the batch.
// Errors hold no address.
func (s *Sink) send(ctx context.Context, client *http.Client, stdout io.Writer, b Batch) error {
	requests, err := s.Encode(b)
	if err != nil {
		return err
	}
	var errs []error
	silent := map[string]bool{}
	for i := range requests {
		r := &requests[i]
		if r.URL == "" {
			if err := s.print(stdout, r.Body); err != nil {
				return fmt.Errorf("writing to standard output: %w", err)
			}
			continue
		}
		if silent[r.URL] {
			continue
		}
		if answered, err := s.post(ctx, client, b.Now, r); err != nil {
			errs = append(errs, err)
			silent[r.URL] = !answered || longest(err) > 0
		}
	}
	return errors.Join(errs...)
}

// print writes lines to the standard output. After an attempt that ended within a line, as on a disk that is full, they
// begin on one of their own, so that none is lost to those who read lines.
func (s *Sink) print(stdout io.Writer, lines []byte) error {
	if s.torn {
		lines = append([]byte("\n"), lines...)
	}
	n, err := stdout.Write(lines)
	if n > 0 {
		s.torn = lines[min(n, len(lines))-1] != '\n'
	}
	return err
}

// post sends one message. answered reports whether the receiver is there.
func (s *Sink) post(ctx context.Context, client *http.Client, now time.Time, r *Request) (answered bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return true, errors.New("its address makes no request")
	}
	request.Header = r.Header.Clone()
	request.Header.Set("User-Agent", "poolproof")
	response, err := client.Do(request)
	if err != nil {
		return false, withoutAddress(err)
	}
	defer response.Body.Close()
	if s.Accepts == nil && response.StatusCode < 300 {
		// It has the message. What it says besides, slowly or not to the end, is no reason to tell it again.
		return true, nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	switch {
	case response.StatusCode >= 300:
		refused := fmt.Errorf("it answers with HTTP %d", response.StatusCode)
		if after, ok := retryAfter(response.Header.Get("Retry-After"), now); ok {
			return true, &Later{after, refused}
		}
		return true, refused
	case err != nil:
		return true, errors.New("its answer breaks off")
	case s.Accepts != nil:
		return true, s.Accepts(body)
	}
	return true, nil
}

// withoutAddress returns an error of the client without the address that it repeats.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// retryAfter reads seconds, or a date.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	d := time.Duration(0)
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	} else {
		return 0, false
	}
	return min(max(d, 0), maxLater), true
}
