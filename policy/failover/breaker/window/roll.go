package window

import "time"

// roll is a ring of buckets, each of which holds the results of one stretch of time.
type roll struct {
	width   time.Duration
	aligned bool
	// origin is where bucket 0 begins; head is the number of the newest bucket, which lasts until end.
	origin  time.Duration
	head    int64
	end     time.Duration
	buckets []bucket
	sum     Counts
}

type bucket struct{ total, failures, slow uint32 }

func (w *roll) Epoch(now time.Duration) uint64 {
	if now < w.end { // also where now lies before the newest bucket: a span of zero
		return uint64(w.head)
	}
	head, n := max(w.head, w.number(now)), int64(len(w.buckets))
	if head-w.head >= n {
		clear(w.buckets)
		w.sum = Counts{}
	} else {
		for e := w.head + 1; e <= head; e++ {
			b := &w.buckets[e%n]
			w.sum.forget(int(b.total), int(b.failures), int(b.slow))
			*b = bucket{}
		}
	}
	w.begin(head)
	return uint64(head)
}

// number is the bucket to which a time belongs, never negative.
func (w *roll) number(now time.Duration) int64 {
	return int64(max(0, now-w.origin) / w.width)
}

// begin makes a bucket the newest one.
func (w *roll) begin(head int64) {
	w.head = head
	w.end = w.origin + time.Duration(head+1)*w.width
}

func (w *roll) Add(epoch uint64, s Sample) bool {
	n := int64(len(w.buckets))
	if age := w.head - int64(epoch); age < 0 || age >= n {
		return false
	}
	b := &w.buckets[int64(epoch)%n]
	b.total++
	if s.Failed {
		b.failures++
	}
	if s.Slow {
		b.slow++
	}
	w.sum.Add(s)
	return true
}

func (w *roll) Counts() Counts { return w.sum }

func (w *roll) Reset(now time.Duration) {
	clear(w.buckets)
	w.sum = Counts{}
	if !w.aligned {
		w.origin = now
	}
	w.begin(w.number(now))
}
