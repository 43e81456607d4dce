package status

import (
	"testing"
	"time"
)

func TestHistogramAddsUp(t *testing.T) {
	var h Histogram
	for _, d := range []time.Duration{0, 5 * time.Millisecond, 6 * time.Millisecond, time.Second, time.Hour} {
		h.Observe(d)
	}
	b := h.Buckets()
	for bound, want := range map[float64]uint64{.005: 2, .01: 3, .5: 3, 1: 4, 60: 4} {
		if b[bound] != want {
			t.Errorf("at or below %v seconds: %d, want %d", bound, b[bound], want)
		}
	}
	if h.Count != 5 || h.Sum < 3601.01 || h.Sum > 3601.02 {
		t.Errorf("%d durations of %v seconds together", h.Count, h.Sum)
	}
}
