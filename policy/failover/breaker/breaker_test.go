package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
)

func TestClassifierDefaults(t *testing.T) {
	c := breaker.NewClassifier()
	for _, x := range []struct {
		want     breaker.Class
		statuses []int
	}{
		{breaker.Success, []int{100, 200, 204, 301, 304, 399}},
		{breaker.Neutral, []int{400, 401, 403, 404, 408, 409, 422, 429, 498}},
		{breaker.Cancelled, []int{499}},
		{breaker.Failure, []int{500, 502, 503, 504, 529, 599, 0, 99, -1, 600, 1 << 40}},
	} {
		for _, status := range x.statuses {
			if got := c.Result(status, breaker.Answered, time.Second); got.Class != x.want || got.TimedOut || got.Latency != time.Second {
				t.Errorf("%d: %+v, want %v", status, got, x.want)
			}
		}
	}
	for kind, want := range map[breaker.Kind]breaker.Class{
		breaker.Connect: breaker.Failure, breaker.Timeout: breaker.Failure, breaker.Reset: breaker.Failure,
		breaker.Unknown: breaker.Failure, breaker.Cancel: breaker.Cancelled, breaker.Rejected: breaker.Neutral, 200: breaker.Failure,
	} {
		// a status that came with it does not matter
		if got := c.Result(200, kind, time.Hour); got.Class != want || got.TimedOut != (kind == breaker.Timeout) {
			t.Errorf("%v: %+v, want %v", kind, got, want)
		}
	}
}

func TestClassifierSetUp(t *testing.T) {
	c := breaker.NewClassifier().Statuses(breaker.Failure, 429, 429).Statuses(breaker.Success, 404, 404).
		Statuses(breaker.Failure, -5, 9999).Statuses(breaker.Neutral, 300, 200).Kinds(breaker.Neutral, breaker.Connect, breaker.Answered, 99)
	if got := c.Result(204, breaker.Answered, 0).Class; got != breaker.Failure {
		t.Errorf("204 after all statuses were set: %v", got)
	}
	if got := c.Result(0, breaker.Connect, 0).Class; got != breaker.Neutral {
		t.Errorf("connect: %v", got)
	}
	c = breaker.NewClassifier().HungAfter(time.Minute)
	if got := c.Result(0, breaker.Cancel, time.Minute-1); got.Class != breaker.Cancelled || got.TimedOut {
		t.Errorf("cancelled early: %+v", got)
	}
	if got := c.Result(0, breaker.Cancel, time.Minute); got.Class != breaker.Failure || !got.TimedOut {
		t.Errorf("cancelled after a hang: %+v", got)
	}
}

func TestCounting(t *testing.T) {
	c := breaker.NewClassifier()
	if err := c.Counting("5xx", "429", "Timeout"); err != nil {
		t.Fatal(err)
	}
	for status, want := range map[int]breaker.Class{200: breaker.Success, 400: breaker.Neutral, 429: breaker.Failure, 503: breaker.Failure} {
		if got := c.Result(status, breaker.Answered, 0).Class; got != want {
			t.Errorf("%d: %v, want %v", status, got, want)
		}
	}
	for kind, want := range map[breaker.Kind]breaker.Class{breaker.Timeout: breaker.Failure, breaker.Connect: breaker.Neutral} {
		if got := c.Result(0, kind, 0).Class; got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
	for _, bad := range []string{"", "6xx", "0xx", "answered", "42", "600", "fivexx"} {
		if err := c.Counting(bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
	if got := c.Result(429, breaker.Answered, 0).Class; got != breaker.Failure {
		t.Errorf("a refused list changed the classifier: 429 is %v", got)
	}
}

type coded int

func (c coded) Error() string   { return fmt.Sprint("status ", int(c)) }
func (c coded) StatusCode() int { return int(c) }

func TestKindOf(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the tenant left"))
	own, stop := context.WithTimeout(context.Background(), 0)
	defer stop()
	<-own.Done()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want breaker.Kind
	}{
		"answer":                   {context.Background(), nil, breaker.Answered},
		"cancelled":                {context.Background(), fmt.Errorf("get: %w", context.Canceled), breaker.Cancel},
		"cancelled with a cause":   {cancelled, errors.New("the tenant left"), breaker.Cancel},
		"cancelled, seen as reset": {cancelled, syscall.ECONNRESET, breaker.Cancel},
		"the caller's deadline":    {own, context.DeadlineExceeded, breaker.Cancel},
		"own limit":                {context.Background(), context.DeadlineExceeded, breaker.Timeout},
		"no context":               {nil, os.ErrDeadlineExceeded, breaker.Timeout},
		"net time-out":             {context.Background(), &net.DNSError{IsTimeout: true}, breaker.Timeout},
		"dial":                     {context.Background(), &net.OpError{Op: "dial", Err: errors.New("no route")}, breaker.Connect},
		"dial time-out":            {context.Background(), &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, breaker.Connect},
		"refused connection":       {context.Background(), syscall.ECONNREFUSED, breaker.Connect},
		"reset":                    {context.Background(), &net.OpError{Op: "read", Err: syscall.ECONNRESET}, breaker.Reset},
		"pipe":                     {context.Background(), syscall.EPIPE, breaker.Reset},
		"early end":                {context.Background(), io.ErrUnexpectedEOF, breaker.Reset},
		"refusal":                  {context.Background(), fmt.Errorf("api: %w", breaker.ErrBusy), breaker.Rejected},
		"refusal, cancelled":       {cancelled, breaker.ErrOpen, breaker.Rejected},
		"anything":                 {context.Background(), errors.New("boom"), breaker.Unknown},
	} {
		if got := breaker.KindOf(c.ctx, c.err); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	for _, err := range []error{breaker.ErrOpen, breaker.ErrBusy, breaker.ErrDropped, breaker.ErrBlocked} {
		if !breaker.Refused(err) {
			t.Errorf("%v is no refusal", err)
		}
	}
	if breaker.Refused(nil) || breaker.Refused(io.EOF) {
		t.Error("refusals are taken for what they are not")
	}
}

// What a real client says of a server that is down, hangs, breaks off, and of callers who leave.
func TestKindOfRealCalls(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			<-release
		case "/break":
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	defer close(release)
	down, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = down.Close()
	get := func(ctx context.Context, client *http.Client, url string) breaker.Kind {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		return breaker.KindOf(ctx, err)
	}
	leaving, leave := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { leave(errors.New("the tenant left")) })
	for name, c := range map[string]struct {
		got, want breaker.Kind
	}{
		"answer":    {get(context.Background(), server.Client(), server.URL), breaker.Answered},
		"down":      {get(context.Background(), server.Client(), "http://"+down.Addr().String()), breaker.Connect},
		"break":     {get(context.Background(), server.Client(), server.URL+"/break"), breaker.Reset},
		"own limit": {get(context.Background(), &http.Client{Timeout: 20 * time.Millisecond}, server.URL+"/hang"), breaker.Timeout},
		"leaving":   {get(leaving, server.Client(), server.URL+"/hang"), breaker.Cancel},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func newBreaker(t *testing.T) *threestate.Breaker {
	t.Helper()
	b, err := threestate.New(threestate.Config{Trip: verdict.Consecutive(1)})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, c, ctx := breaker.RealClock(time.Now()), breaker.NewClassifier(), context.Background()
		b := newBreaker(t)
		do := func(err error) error {
			return breaker.Do(ctx, b, clock, c, func(context.Context) error { return err })
		}
		state := func(want breaker.State) {
			t.Helper()
			if got := b.State(clock.Now()); got != want {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		for _, err := range []error{nil, coded(429), fmt.Errorf("call: %w", coded(400)), context.Canceled, breaker.ErrOpen} {
			if got := do(err); !errors.Is(got, err) {
				t.Errorf("%v came back as %v", err, got)
			}
			state(breaker.Closed)
		}
		if err := do(coded(503)); !errors.Is(err, coded(503)) {
			t.Error(err)
		}
		state(breaker.Open)
		called := false
		err := breaker.Do(ctx, b, clock, c, func(context.Context) error { called = true; return nil })
		if !errors.Is(err, breaker.ErrOpen) || called {
			t.Errorf("refused with %v, called %v", err, called)
		}

		time.Sleep(30 * time.Second)
		func() {
			defer func() {
				if recover() != "boom" {
					t.Error("the panic did not go on")
				}
			}()
			_ = breaker.Do(ctx, b, clock, c, func(context.Context) error { panic("boom") })
		}()
		state(breaker.Open)

		time.Sleep(30 * time.Second)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = breaker.Do(ctx, b, clock, c, func(context.Context) error { runtime.Goexit(); return nil })
		}()
		<-done
		state(breaker.Open)

		time.Sleep(30 * time.Second)
		if err := do(nil); err != nil {
			t.Error(err)
		}
		state(breaker.Closed)
	})
}

func TestDoDoesNotAllocate(t *testing.T) {
	clock, c, ctx, b := breaker.RealClock(time.Now()), breaker.NewClassifier(), context.Background(), newBreaker(t)
	call := func(context.Context) error { return nil }
	if n := testing.AllocsPerRun(1000, func() { _ = breaker.Do(ctx, b, clock, c, call) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func TestSlow(t *testing.T) {
	for _, c := range []struct {
		r    breaker.Result
		want bool
	}{
		{breaker.Result{Class: breaker.Success, Latency: 3 * time.Second}, false},
		{breaker.Result{Class: breaker.Success, Latency: 3*time.Second + 1}, true},
		{breaker.Result{Class: breaker.Failure, TimedOut: true}, true},
		{breaker.Result{Class: breaker.Cancelled, Latency: time.Hour}, false},
		{breaker.Result{Class: breaker.Neutral, TimedOut: true}, false},
	} {
		if got := c.r.Slow(3 * time.Second); got != c.want {
			t.Errorf("%+v: slow %v", c.r, got)
		}
		if c.r.Slow(0) {
			t.Errorf("%+v is slow without a threshold", c.r)
		}
	}
}

func TestLockedRandom(t *testing.T) {
	r := breaker.LockedRandom(rand.New(rand.NewPCG(1, 1)))
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 1000 {
				if x := r.Float64(); x < 0 || x >= 1 {
					t.Error(x)
				}
			}
		})
	}
	wg.Wait()
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		got  fmt.Stringer
		want string
	}{
		{breaker.Closed, "closed"}, {breaker.Open, "open"}, {breaker.HalfOpen, "half-open"}, {breaker.State(9), "unknown"},
		{breaker.Success, "success"}, {breaker.Failure, "failure"}, {breaker.Neutral, "neutral"}, {breaker.Cancelled, "cancelled"},
		{breaker.Class(9), "unknown"}, {breaker.Reset, "reset"}, {breaker.Kind(99), "unknown"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%v, want %s", c.got, c.want)
		}
	}
}
