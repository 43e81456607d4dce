package timeline_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/timeline"
	"github.com/poolproof/poolproof/policy/failover"
)

// TestTheDay holds the figures, which are worked by hand: a request that hangs is a slow sample at its time-out of 8 s. The
// first endpoint has samples at 8.05 s and 13.05 s and is out; what the second gets from then on hangs as well, 8 s and 13 s
// later it is out, and so the third, at 39.05 s, by what was sent at 26.05 s and 31.05 s. The link is well at 35 s. The first
// endpoint is back a TTL after it went.
func TestTheDay(t *testing.T) {
	plays, err := timeline.Run()
	if err != nil {
		t.Fatal(err)
	}
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	wasted := map[string]time.Duration{"reject 30s": 4 * time.Second, "reject 1m0s": 34 * time.Second, "pass 30s": 0, "pass 1m0s": 0}
	if len(plays) != len(wasted) {
		t.Fatalf("%d plays", len(plays))
	}
	for i := range plays {
		p := &plays[i]
		t.Run(p.AllOut+" "+p.TTL.String(), func(t *testing.T) {
			if want := []time.Duration{at(13.05), at(26.05), at(39.05)}; !slices.Equal(p.Gone, want) {
				t.Errorf("out at %v, want %v: one after the other, as the load moves", p.Gone, want)
			}
			if p.Last != at(39.05) || p.Last <= timeline.Well {
				t.Errorf("nobody is left from %v, want 39.05 s, when the link is well", p.Last)
			}
			if want := at(13.05) + p.TTL; p.Back != want {
				t.Errorf("the first is back at %v, want %v", p.Back, want)
			}
			want, ok := wasted[p.AllOut+" "+p.TTL.String()]
			if !ok || p.Wasted != want {
				t.Errorf("%v of the good time are refused, want %v", p.Wasted, want)
			}
			if refused := uint64(want / (100 * time.Millisecond)); p.Refused != refused {
				t.Errorf("%d requests are refused, want %d", p.Refused, refused)
			}
			load(t, p)
			words := p.Words()
			for _, s := range []string{"13.1s, 26.1s, 39.1s", map[bool]string{true: "pass all the same", false: "waste " + shown(want)}[p.AllOut == "pass"]} {
				if !strings.Contains(words.En, s) {
					t.Errorf("the words do not say %q: %s", s, words.En)
				}
			}
			if words.Zh == "" || words.Zh == words.En {
				t.Error("no Chinese words")
			}
		})
	}
}

func shown(d time.Duration) string {
	return map[time.Duration]string{4 * time.Second: "4s", 34 * time.Second: "34s"}[d]
}

// load checks where the requests went: each endpoint takes all of them while it is the first that is in.
func load(t *testing.T, p *timeline.Play) {
	t.Helper()
	r := p.Summary.First
	if p.Copy == nil || r.Engine != "blacklist" {
		t.Fatalf("played by %q", r.Engine)
	}
	for i := range r.Members {
		states := r.Members[i].States
		if len(states) != 3 || states[1].State != failover.Cooling || states[2].From != states[1].From+p.TTL {
			t.Errorf("endpoint %d: %v", i, states)
		}
	}
	var errors, answered, refused uint64
	for _, x := range r.Series {
		if x.At < 26*time.Second {
			continue
		}
		if x.At >= 40*time.Second && x.At < 43*time.Second { // nobody is in
			answered += sum(x)
			refused += x.Refused
		}
		if x.At >= 75*time.Second {
			errors += x.Errors
		}
	}
	if p.AllOut == "pass" && (answered != 30 || refused != 0) || p.AllOut == "reject" && (answered != 0 || refused != 30) {
		t.Errorf("from 40 s to 43 s %d of 30 requests are answered and %d refused", answered, refused)
	}
	if errors != 0 {
		t.Errorf("%d errors after everything is over", errors)
	}
}

func sum(x dryrun.Point) (n uint64) {
	for _, a := range x.Answers {
		n += a
	}
	return n
}

func TestItsFilesCanBeKept(t *testing.T) {
	for _, p := range timeline.Variants() {
		text := string(timeline.Pool(p.AllOut, p.TTL))
		if strings.Contains(text, "TTL") || strings.Contains(text, "ALLOUT") || !strings.Contains(text, "onAllOut: "+p.AllOut) {
			t.Errorf("the pool is\n%s", text)
		}
	}
	s, problems, ok := dryrun.Read("x.yaml", timeline.Scenario())
	if !ok || len(problems) > 0 || s.Name != timeline.Name {
		t.Errorf("the scenario: %v %v", problems, s)
	}
}
