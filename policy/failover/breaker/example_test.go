package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/adaptive"
	"github.com/poolproof/poolproof/policy/failover/breaker/blacklist"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// A breaker with a real clock around calls: half of at least 20 results in 10 s open it for 30 s, twice as long each time
// that the trial fails, and never longer than 5 minutes.
func Example() {
	clock := breaker.RealClock(time.Now())
	b, err := threestate.New(threestate.Config{
		Trip:     verdict.Ratio{AtLeast: 0.5, MinVolume: 20},
		Window:   window.Rolling(10*time.Second, 10),
		Cooldown: cooldown.Config{Duration: 30 * time.Second, Growth: cooldown.Exponential, Max: 5 * time.Minute},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	classifier := breaker.NewClassifier()
	unreachable := func(context.Context) error { return errors.New("no route to host") }
	for range 21 {
		err = breaker.Do(context.Background(), b, clock, classifier, unreachable)
	}
	fmt.Println(err)
	fmt.Println(b.State(clock.Now()))
	// Output:
	// breaker is open
	// open
}

// transport refuses requests to an endpoint that its breaker has condemned, and judges the answers of the others.
type transport struct {
	next       http.RoundTripper
	breaker    breaker.Breaker
	clock      breaker.Clock
	classifier *breaker.Classifier
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	start := t.clock.Now()
	permit, err := t.breaker.Permit(start)
	if err != nil {
		return nil, err
	}
	resp, err := t.next.RoundTrip(r)
	now, status := t.clock.Now(), 0
	if err == nil {
		status = resp.StatusCode
	}
	t.breaker.Report(now, permit, t.classifier.Result(status, breaker.KindOf(r.Context(), err), now-start))
	return resp, err
}

// A breaker in an HTTP client, here in front of a stand-in that answers from memory.
func Example_transport() {
	b, err := threestate.New(threestate.Config{Trip: verdict.Consecutive(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	statuses := []int{429, 429, 429, 500, 503}
	client := http.Client{Transport: &transport{
		breaker: b, clock: breaker.RealClock(time.Now()), classifier: breaker.NewClassifier(),
		next: answers(func() int {
			status := statuses[0]
			statuses = statuses[1:]
			return status
		}),
	}}
	for range 6 {
		resp, err := client.Get("http://10.9.0.1/v1/chat")
		if err != nil {
			fmt.Println(err)
			continue
		}
		_ = resp.Body.Close()
		fmt.Println(resp.StatusCode)
	}
	// Output:
	// 429
	// 429
	// 429
	// 500
	// 503
	// Get "http://10.9.0.1/v1/chat": breaker is open
}

type answers func() int

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a(), Body: http.NoBody}, nil
}

// An adaptive breaker with its own source of randomness. Of 100 calls 40 succeeded: with K = 2 one in five is dropped.
func Example_adaptive() {
	clock := breaker.RealClock(time.Now())
	b, err := adaptive.New(adaptive.Config{Success: 0.5, Random: rand.New(rand.NewPCG(1, 2))})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 100 {
		r := breaker.Result{Class: breaker.Failure}
		if i < 40 {
			r.Class = breaker.Success
		}
		b.Report(clock.Now(), breaker.Permit{}, r)
	}
	fmt.Printf("%.1f %%\n", 100*b.DropProbability(clock.Now()))
	// Output: 19.8 %
}

// Three endpoints that are slow one after the other. When the last one is blocked the filter steps aside.
func Example_blacklist() {
	list, err := blacklist.New(blacklist.Config{Slow: 3 * time.Second, TTL: 60 * time.Second}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Duration(0)
	for endpoint := range 3 {
		for range 2 { // two samples confirm
			permit, err := list.Permit(now, endpoint)
			if err != nil {
				fmt.Println(err)
				return
			}
			now += 5 * time.Second
			list.Report(now, endpoint, permit, breaker.Result{Class: breaker.Success, Latency: 5 * time.Second})
		}
		fmt.Println(now, list.Eligible(now, nil))
	}
	// Output:
	// 10s [1 2]
	// 20s [2]
	// 30s [0 1 2]
}
