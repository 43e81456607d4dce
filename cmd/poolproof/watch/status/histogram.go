package status

import "time"

// Bounds are the upper bounds of a histogram's buckets, in seconds. A look at few files takes milliseconds, one at a
// large tree seconds.
func Bounds() [12]float64 {
	return [12]float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}
}

// Histogram counts durations. Its zero value is empty; copies are independent.
type Histogram struct {
	// Counts has a count for each bound, of the durations up to it and above the one before.
	Counts [12]uint64
	// Count is how many durations there were, Sum how long they were together, in seconds.
	Count uint64
	Sum   float64
}

// Observe counts one duration.
func (h *Histogram) Observe(d time.Duration) {
	s := d.Seconds()
	h.Count++
	h.Sum += s
	for i, bound := range Bounds() {
		if s <= bound {
			h.Counts[i]++
			return
		}
	}
}

// Buckets returns how many durations lie at or below each bound.
func (h *Histogram) Buckets() map[float64]uint64 {
	buckets := make(map[float64]uint64, len(h.Counts))
	var sum uint64
	for i, bound := range Bounds() {
		sum += h.Counts[i]
		buckets[bound] = sum
	}
	return buckets
}
