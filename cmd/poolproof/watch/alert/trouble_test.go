package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/spool"
)

// TestDefect holds that a defect in one sink is a failure of that one, said with its place, and others are told.
func TestDefect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{start: time.Now(), answer: func(string, int) *http.Response { return answer(200) }}
		sinks := append([]Sink{{Name: "broken", Resend: time.Minute, Encode: func(Batch) ([]Request, error) { panic("out of range") }}}, webhooks(t, "http://good/")...)
		var mu sync.Mutex
		var log []string
		runner, err := NewRunner(sinks, Options{Client: &http.Client{Transport: r}, Active: func() []Event { return []Event{event(1)} }, Log: func(sink string, err error) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, fmt.Sprint(sink, " ", err))
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { runner.Run(ctx); close(done) }()
		if err := runner.Tell([]Event{event(1)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		s := runner.Statuses()
		if s[0].Err == nil || s[0].Err.Error() != "a defect of poolproof: out of range" || s[0].Waiting != 1 || s[0].Failures < 5 {
			t.Errorf("broken: %+v", s[0])
		}
		if s[1].Sent != 1 || s[1].Failures != 0 {
			t.Errorf("good: %+v", s[1])
		}
		cancel()
		<-done
		mu.Lock()
		defer mu.Unlock()
		if all := strings.Join(log, "\n"); !strings.Contains(all, "trouble_test.go") {
			t.Errorf("the place of the defect is not said: %s", all)
		}
	})
}

// TestSilentReceiver holds that a receiver that is down costs one attempt a batch and not one a message, and that the
// other one of its sink is told all.
func TestSilentReceiver(t *testing.T) {
	r := &receiver{start: time.Now(), answer: func(host string, n int) *http.Response {
		switch host {
		case "down":
			return nil
		case "busy":
			return answer(429, "Retry-After", "60")
		case "picky":
			return answer(400)
		}
		return answer(200)
	}}
	s := sink(t, "alertmanager", "url", "http://down,http://busy,http://picky,http://up")
	var events []Event
	for n := range 3 * alertsPerRequest {
		events = append(events, event(n))
	}
	err := s.send(t.Context(), &http.Client{Transport: r}, nil, Batch{Events: events, Now: noon})
	if err == nil || longest(err) != time.Minute {
		t.Errorf("%v, to be left alone for %v", err, longest(err))
	}
	for host, want := range map[string]int{"down": 1, "busy": 1, "picky": 3, "up": 3} {
		if got := len(r.bodies[host]); got != want {
			t.Errorf("%s: %d requests, want %d", host, got, want)
		}
	}
}

// TestLongest holds that of several receivers the most patient one counts.
func TestLongest(t *testing.T) {
	err := fmt.Errorf("alerts: %w", errors.Join(errors.New("x"), &Later{time.Minute, errors.New("y")}, errors.Join(&Later{time.Hour, errors.New("z")})))
	if got := longest(errors.Join(err, &Later{2 * time.Minute, errors.New("y")})); got < 2*time.Minute {
		t.Error(got)
	}
	if got := longest(errors.Join(&Later{time.Minute, errors.New("y")}, errors.Join(&Later{time.Hour, errors.New("z")}))); got != time.Hour {
		t.Error(got)
	}
	if got := longest(nil); got != 0 {
		t.Error(got)
	}
}

// TestGivenUp holds that what is given up is said and counted, and that the newest events are kept.
func TestGivenUp(t *testing.T) {
	var log []string
	runner, err := NewRunner(webhooks(t, "http://down/"), Options{Log: func(sink string, err error) { log = append(log, fmt.Sprint(sink, " ", err)) }})
	if err != nil {
		t.Fatal(err)
	}
	big := event(0)
	big.Got = strings.Repeat("x", spool.MaxBytes/4)
	for range 5 {
		if err := runner.Tell([]Event{big}); err != nil {
			t.Fatal(err)
		}
	}
	if s := runner.Statuses()[0]; s.Waiting != 3 || s.Dropped != 2 {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(log, "; "); strings.Count(got, "webhook 1 events were given up, the oldest ones") != 2 {
		t.Error(got)
	}
}

// TestClockWentBack holds that Alertmanager is sent no alert that ends before it starts, which it refuses.
func TestClockWentBack(t *testing.T) {
	e := event(1)
	e.Since = noon.Add(24 * time.Hour)
	over := e
	over.Ended = noon
	for _, e := range []Event{e, over} {
		p := postedOf(&e, &Batch{Now: noon}, "en", time.Minute, "")
		if p.StartsAt.After(p.EndsAt) {
			t.Errorf("from %v to %v", p.StartsAt, p.EndsAt)
		}
	}
}

// TestRepeatsNothing: where there is nothing to repeat, a receiver that is down is not taken for well, and what waits for
// it is tried at the usual pace and not put off.
func TestRepeatsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var up atomic.Bool
		r := &receiver{start: time.Now(), answer: func(string, int) *http.Response {
			if up.Load() {
				return answer(200)
			}
			return nil
		}}
		s := sink(t, "alertmanager", "url", "http://am", "resend", "40s")
		var log []string // of one goroutine
		runner, err := NewRunner([]Sink{s}, Options{Client: &http.Client{Transport: r}, Active: func() []Event { return nil },
			Log: func(_ string, err error) { log = append(log, fmt.Sprint(err)) }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { runner.Run(ctx); close(done) }()
		if err := runner.Tell([]Event{ended(event(1))}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		r.mu.Lock()
		if n := len(r.got); n < 15 || n > 30 {
			t.Errorf("%d attempts in an hour", n)
		}
		r.mu.Unlock()
		if s := runner.Statuses()[0]; s.Err == nil || len(log) != 1 {
			t.Errorf("it is %v, logged %q", s.Err, log)
		}
		up.Store(true)
		time.Sleep(lastWait)
		synctest.Wait()
		if s := runner.Statuses()[0]; s.Err != nil || s.Waiting != 0 {
			t.Errorf("up again: %+v", s)
		}
		cancel()
		<-done
	})
}

// TestAnswerWithoutEnd: a receiver that has taken a message has it, whatever it says after that, or how slowly.
func TestAnswerWithoutEnd(t *testing.T) {
	for name, body := range map[string]io.Reader{"broken": iotest.ErrReader(errors.New("reset")), "silent": silence{}} {
		r := &receiver{start: time.Now(), answer: func(string, int) *http.Response {
			a := answer(202)
			a.Body, a.ContentLength = io.NopCloser(body), 100
			return a
		}}
		s, start := sink(t, "webhook", "url", "http://h"), time.Now()
		if err := s.send(t.Context(), &http.Client{Transport: r}, nil, Batch{Events: []Event{event(1)}, Now: noon}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > time.Second/2 {
			t.Errorf("%s: it was waited for, %v", name, took)
		}
		chat := sink(t, "feishu", "urlFile", "env:POOLPROOF_URL") // which refuses in the body
		if name == "broken" && chat.send(t.Context(), &http.Client{Transport: r}, nil, Batch{Events: []Event{event(1)}, Now: noon}) == nil {
			t.Error("a chat whose answer breaks off took the message")
		}
	}
}

// silence is a body of which no byte comes.
type silence struct{}

func (silence) Read([]byte) (int, error) { time.Sleep(time.Second); return 0, io.ErrUnexpectedEOF }

// TestTornLine: an output that took half a line gets the next ones whole.
func TestTornLine(t *testing.T) {
	s := sink(t, "stdout")
	out := &scarce{room: 700}
	b := Batch{Events: []Event{event(1), event(2)}, Now: noon}
	if s.send(t.Context(), nil, out, b) == nil || s.send(t.Context(), nil, out, b) == nil {
		t.Fatal("an output without room took everything")
	}
	out.room = 1 << 20
	for range 2 {
		if err := s.send(t.Context(), nil, out, b); err != nil {
			t.Error(err)
		}
	}
	whole := 0
	for _, text := range strings.Split(out.String(), "\n") {
		var l line
		if json.Unmarshal([]byte(text), &l) == nil {
			whole++
		}
	}
	if whole != 5 || strings.Contains(out.String(), "\n\n") {
		t.Errorf("%d whole lines in %q", whole, out)
	}
}

// scarce is an output with little room.
type scarce struct {
	bytes.Buffer
	room int
}

func (s *scarce) Write(b []byte) (int, error) {
	n := min(len(b), s.room-s.Len())
	s.Buffer.Write(b[:n])
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}
