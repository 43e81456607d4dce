package threestate

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"pgregory.net/rapid"
)

// model is the breaker as one would write it down: whole histories, no generations, no atomics. A permit remembers the
// period in which it was given; only its own period's results count.
type model struct {
	minVolume, failures int // trips at so many failures of at least so many results in the last span
	span                time.Duration
	slots, need, of     int
	cooldown, lease     time.Duration

	state  breaker.State
	period *period
	until  time.Duration
}

type period struct{ results []outcome }

type outcome struct {
	at     time.Duration
	failed bool
}

type ticket struct {
	given    *period
	trial    bool
	until    time.Duration
	returned bool
}

func (m *model) enter(state breaker.State) { m.state, m.period = state, new(period) }

// permit also gets the tickets that are out, to count live trials.
func (m *model) permit(now time.Duration, out []*ticket) (*ticket, error) {
	if m.state == breaker.Open && now >= m.until {
		m.enter(breaker.HalfOpen)
	}
	switch m.state {
	case breaker.Open:
		return nil, breaker.ErrOpen
	case breaker.HalfOpen:
		live := 0
		for _, t := range out {
			if t.given == m.period && !t.returned && now < t.until {
				live++
			}
		}
		if live == m.slots {
			return nil, breaker.ErrBusy
		}
		return &ticket{given: m.period, trial: true, until: now + m.lease}, nil
	case breaker.Closed:
	}
	return &ticket{given: m.period}, nil
}

func (m *model) report(now time.Duration, t *ticket, class breaker.Class) {
	again := t.returned
	t.returned = true
	if t.given != m.period || !class.Counted() || t.trial && (again || now >= t.until) {
		return
	}
	m.period.results = append(m.period.results, outcome{now, class == breaker.Failure})
	total, failed := 0, 0
	for _, o := range m.period.results {
		if m.state == breaker.HalfOpen || o.at/10 > now/10-m.span/10 {
			total++
			if o.failed {
				failed++
			}
		}
	}
	switch {
	case m.state == breaker.Closed && total >= m.minVolume && failed >= m.failures,
		m.state == breaker.HalfOpen && failed > m.of-m.need:
		m.enter(breaker.Open)
		m.until = now + m.cooldown
	case m.state == breaker.HalfOpen && total-failed >= m.need:
		m.enter(breaker.Closed)
	}
}

func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{
			minVolume: rapid.IntRange(1, 6).Draw(t, "min volume"),
			failures:  rapid.IntRange(1, 4).Draw(t, "failures"),
			span:      10 * time.Duration(rapid.IntRange(1, 8).Draw(t, "span")),
			slots:     rapid.IntRange(1, 3).Draw(t, "slots"),
			need:      rapid.IntRange(1, 3).Draw(t, "need"),
			cooldown:  time.Duration(rapid.IntRange(1, 60).Draw(t, "cooldown")),
			lease:     time.Duration(rapid.IntRange(1, 60).Draw(t, "lease")),
			period:    new(period),
		}
		m.of = m.need + rapid.IntRange(0, 2).Draw(t, "of")
		b, err := New(Config{
			Trip: verdict.Func(func(c window.Counts, _ bool) bool { return c.Total >= m.minVolume && c.Failures >= m.failures }),
			// aligned, for the model to need no start
			Window:   window.Aligned(m.span, int(m.span/10)),
			Cooldown: cooldown.Config{Duration: m.cooldown},
			Trials:   Trials{Slots: m.slots, Ending: verdict.OutOf{Successes: m.need, Of: m.of}, Lease: m.lease},
		})
		if err != nil {
			t.Fatal(err)
		}
		type pair struct {
			*ticket
			permit breaker.Permit
		}
		var out []*ticket
		var pairs []pair
		var now time.Duration
		for range rapid.IntRange(1, 150).Draw(t, "ops") {
			now += rapid.SampledFrom([]time.Duration{0, 0, 0, 1, 5, 10, 30, 100}).Draw(t, "step")
			if len(pairs) == 0 || rapid.IntRange(0, 2).Draw(t, "op") == 0 {
				ticket, want := m.permit(now, out)
				permit, got := b.Permit(now)
				if !errors.Is(got, want) {
					t.Fatalf("at %d: permit %v, want %v", now, got, want)
				}
				if ticket != nil {
					out = append(out, ticket)
					pairs = append(pairs, pair{ticket, permit})
				}
			} else {
				// also those that have been reported before, in trials: a second report counts for nothing
				p := rapid.SampledFrom(pairs).Draw(t, "which")
				if p.returned && !p.trial {
					continue
				}
				class := rapid.SampledFrom([]breaker.Class{
					breaker.Success, breaker.Success, breaker.Failure, breaker.Failure, breaker.Neutral, breaker.Cancelled,
				}).Draw(t, "class")
				m.report(now, p.ticket, class)
				b.Report(now, p.permit, breaker.Result{Class: class})
			}
			want := m.state
			if want == breaker.Open && now >= m.until {
				want = breaker.HalfOpen
			}
			if got := b.State(now); got != want {
				t.Fatalf("at %d: %v, want %v", now, got, want)
			}
		}
	})
}

// A result that is late, of an older generation or after its lease, leaves the breaker exactly as it was.
func TestLateLeaseNeverChangesState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := New(Config{
			Trip: verdict.Consecutive(2), Cooldown: cooldown.Config{Duration: 20},
			Trials: Trials{Slots: 2, Ending: verdict.InARow(2), Lease: 15},
		})
		if err != nil {
			t.Fatal(err)
		}
		type lease struct {
			permit breaker.Permit
			until  time.Duration
		}
		var flying []lease
		var now time.Duration
		for range rapid.IntRange(1, 200).Draw(t, "ops") {
			now += rapid.SampledFrom([]time.Duration{0, 0, 1, 7, 20}).Draw(t, "step")
			if p, err := b.Permit(now); err == nil {
				until := time.Duration(1 << 62)
				if p.Slot > 0 {
					until = now + 15
				}
				flying = append(flying, lease{p, until})
			}
			if len(flying) == 0 || rapid.Bool().Draw(t, "keep") {
				continue
			}
			i := rapid.IntRange(0, len(flying)-1).Draw(t, "which")
			l := flying[i]
			flying = append(flying[:i], flying[i+1:]...)
			late := l.permit.Generation != b.word.Load()>>genShift || now >= l.until
			word, counts := b.word.Load(), b.Counts()
			b.Report(now, l.permit, breaker.Result{
				Class: rapid.SampledFrom([]breaker.Class{breaker.Success, breaker.Failure, breaker.Cancelled}).Draw(t, "class"),
			})
			if late && (b.word.Load() != word || b.Counts() != counts) {
				t.Fatalf("at %d a late result changed %b %+v to %b %+v", now, word, counts, b.word.Load(), b.Counts())
			}
		}
	})
}
