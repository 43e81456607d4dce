// Package breakertest plays hand-worked cases on a breaker. A case is a few lines, each a time and what happens then:
//
//	0s      S*3 F        three calls that succeed and one that fails, admitted and finished at once
//	1s      F(2s) F(!)   one that failed after 2 s, one that timed out; also N and C, neutral and cancelled
//	2s      +a           a call that is admitted and still on its way
//	3s      a:S          its success
//	4s      -open -busy  two calls that are refused, and why: open, busy, dropped, blocked
//	5s      =half-open   the state then
package breakertest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// Play plays the lines on a breaker and fails the test at the first word that does not hold. Empty lines and what follows
// a # are left out.
func Play(t testing.TB, b breaker.Breaker, lines string) {
	t.Helper()
	out := map[string]breaker.Permit{}
	for _, line := range strings.Split(lines, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		now, err := time.ParseDuration(words[0])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, word := range words[1:] {
			if err := play(b, now, word, out); err != nil {
				t.Fatalf("at %v, %s: %v", now, word, err)
			}
		}
	}
}

var refusals = map[string]error{
	"open": breaker.ErrOpen, "busy": breaker.ErrBusy, "dropped": breaker.ErrDropped, "blocked": breaker.ErrBlocked,
}

func play(b breaker.Breaker, now time.Duration, word string, out map[string]breaker.Permit) error {
	name, result, found := strings.Cut(word, ":")
	switch {
	case word[0] == '=':
		if got := b.State(now); got.String() != word[1:] {
			return fmt.Errorf("the state is %v", got)
		}
	case word[0] == '-':
		want, known := refusals[word[1:]]
		if _, err := b.Permit(now); !known || !errors.Is(err, want) {
			return fmt.Errorf("the call gets %v", err)
		}
	case word[0] == '+':
		p, err := b.Permit(now)
		if err != nil {
			return err
		}
		out[word[1:]] = p
	case found:
		p, known := out[name]
		r, err := parse(result)
		if err != nil || !known {
			return fmt.Errorf("no such call or result: %v", err)
		}
		b.Report(now, p, r)
	default:
		return calls(b, now, word)
	}
	return nil
}

func calls(b breaker.Breaker, now time.Duration, word string) error {
	word, times, found := strings.Cut(word, "*")
	n := 1
	if found {
		var err error
		if n, err = strconv.Atoi(times); err != nil {
			return err
		}
	}
	r, err := parse(word)
	if err != nil {
		return err
	}
	for i := range n {
		p, err := b.Permit(now)
		if err != nil {
			return fmt.Errorf("call %d: %w", i+1, err)
		}
		b.Report(now, p, r)
	}
	return nil
}

func parse(word string) (breaker.Result, error) {
	class, latency, found := strings.Cut(strings.TrimSuffix(word, ")"), "(")
	r := breaker.Result{}
	switch class {
	case "S":
		r.Class = breaker.Success
	case "F":
		r.Class = breaker.Failure
	case "N":
		r.Class = breaker.Neutral
	case "C":
		r.Class = breaker.Cancelled
	default:
		return r, fmt.Errorf("unknown result %q", word)
	}
	if !found {
		return r, nil
	}
	if latency == "!" {
		r.TimedOut = true
		return r, nil
	}
	var err error
	r.Latency, err = time.ParseDuration(latency)
	return r, err
}

// Hammer has 64 goroutines call the breaker on clocks of their own, for the race detector, and fails the test if none of
// the calls was refused.
func Hammer(t testing.TB, b breaker.Breaker, step time.Duration) {
	t.Helper()
	refused := make(chan int, 64)
	for g := range 64 {
		go func() {
			n := 0
			for i := range 1000 {
				now := time.Duration(i) * step
				p, err := b.Permit(now)
				if err != nil {
					n++
					continue
				}
				b.Report(now, p, breaker.Result{Class: breaker.Class((g*7 + i/16) % 4)})
				b.State(now)
			}
			refused <- n
		}()
	}
	sum := 0
	for range 64 {
		sum += <-refused
	}
	if sum == 0 {
		t.Error("no call was refused: the breaker never opened")
	}
}

// Allocates reports how many allocations a call costs, over calls that make the breaker open and close.
func Allocates(b breaker.Breaker, step time.Duration) float64 {
	var now time.Duration
	i := 0
	return testing.AllocsPerRun(5000, func() {
		now += step
		i++
		if p, err := b.Permit(now); err == nil {
			b.Report(now, p, breaker.Result{Class: []breaker.Class{breaker.Success, breaker.Failure}[i/50%2]})
		}
	})
}
