package dryrun

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestQueueOrder holds the queue against its definition: the earliest event first, and those of one moment in the order
// in which they came in where they lie in the ring.
func TestQueueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue(rapid.SampledFrom([]float64{0.1, 100, 1e6}).Draw(t, "rate"))
		type event struct {
			at  time.Duration
			seq uint32
		}
		var model []event
		now, seq := time.Duration(0), uint32(0)
		spans := []time.Duration{1, time.Microsecond, time.Millisecond, time.Second, time.Hour}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(model) == 0 || rapid.Bool().Draw(t, "push") {
				at := now + time.Duration(rapid.IntRange(0, 100).Draw(t, "n"))*rapid.SampledFrom(spans).Draw(t, "span")
				q.push(now, at, ref{slot: seq})
				model = append(model, event{at, seq})
				seq++
				continue
			}
			first := 0
			for i := range model {
				if model[i].at < model[first].at {
					first = i
				}
			}
			if q.next != model[first].at {
				t.Fatalf("next is %d, not %d", q.next, model[first].at)
			}
			got := q.pop().slot
			i := 0
			for model[i].seq != got {
				i++
			}
			if model[i].at != model[first].at {
				t.Fatalf("took the event at %d before that at %d", model[i].at, model[first].at)
			}
			now = model[i].at
			model = append(model[:i], model[i+1:]...)
		}
		for len(model) > 0 {
			got := q.pop().slot
			for i := range model {
				if model[i].seq == got {
					if model[i].at < now {
						t.Fatalf("the event at %d came after %d", model[i].at, now)
					}
					now = model[i].at
					model = append(model[:i], model[i+1:]...)
					break
				}
			}
		}
		if q.next != never {
			t.Fatalf("an empty queue says %d", q.next)
		}
	})
}

// TestQueueKeepsOrder: events of one moment leave in the order in which they came.
func TestQueueKeepsOrder(t *testing.T) {
	q := newQueue(100)
	for i := range uint32(1000) {
		q.push(0, time.Second, ref{slot: i})
	}
	for i := range uint32(1000) {
		if got := q.pop().slot; got != i {
			t.Fatalf("event %d came as number %d", got, i)
		}
	}
}
