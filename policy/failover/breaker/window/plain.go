package window

import "time"

// all counts since the last reset.
type all struct{ sum Counts }

func (w *all) Epoch(time.Duration) uint64 { return 0 }

func (w *all) Add(_ uint64, s Sample) bool {
	w.sum.Add(s)
	return true
}

func (w *all) Counts() Counts      { return w.sum }
func (w *all) Reset(time.Duration) { w.sum = Counts{} }

// tumble counts since the start of the current period.
type tumble struct {
	period, start time.Duration
	epoch         uint64
	sum           Counts
}

func (w *tumble) Epoch(now time.Duration) uint64 {
	if now-w.start >= w.period {
		w.start = now
		w.epoch++
		w.sum = Counts{}
	}
	return w.epoch
}

func (w *tumble) Add(epoch uint64, s Sample) bool {
	if epoch != w.epoch {
		return false
	}
	w.sum.Add(s)
	return true
}

func (w *tumble) Counts() Counts { return w.sum }

func (w *tumble) Reset(now time.Duration) {
	w.start = now
	w.epoch++
	w.sum = Counts{}
}

// ring holds the last n results, two bits each.
type ring struct {
	failed, slow []uint64
	size, next   int
	sum          Counts
}

func newRing(n int) *ring {
	words := (n + 63) / 64
	bits := make([]uint64, 2*words)
	return &ring{failed: bits[:words], slow: bits[words:], size: n}
}

func (w *ring) Epoch(time.Duration) uint64 { return 0 }

func (w *ring) Add(_ uint64, s Sample) bool {
	word, bit := w.next/64, uint64(1)<<(w.next%64)
	if w.sum.Total == w.size {
		w.sum.forget(1, set(w.failed[word]&bit), set(w.slow[word]&bit))
	}
	w.failed[word] &^= bit
	w.slow[word] &^= bit
	if s.Failed {
		w.failed[word] |= bit
	}
	if s.Slow {
		w.slow[word] |= bit
	}
	w.sum.Add(s)
	if w.next++; w.next == w.size {
		w.next = 0
	}
	return true
}

func set(bits uint64) int {
	if bits != 0 {
		return 1
	}
	return 0
}

func (w *ring) Counts() Counts { return w.sum }

func (w *ring) Reset(time.Duration) {
	w.next = 0
	w.sum = Counts{}
}
