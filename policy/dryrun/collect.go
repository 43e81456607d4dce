package dryrun

import (
	"math/bits"
	"slices"
	"time"
)

// segments cut the time of a run at all moments that an expectation begins or ends, and evenly besides. A request is
// counted in the segment in which it was sent, so that a window is a sum of segments, exactly.
type segments struct {
	starts []time.Duration // of each segment; the last one's end is the end of the run
	end    time.Duration
}

// maxSlices is into how many even slices a run is cut, and maxCells how many counters there are at most.
const (
	maxSlices = 600
	maxCells  = 1 << 21
)

func newSegments(s *Scenario, end time.Duration, cells int) segments {
	slice := sliceOf(end, cells)
	var cuts []time.Duration
	for t := time.Duration(0); t < end; t += slice {
		cuts = append(cuts, t)
	}
	for i := range s.Expect {
		from, to := s.Expect[i].window(end)
		cuts = append(cuts, from, to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	cuts = slices.DeleteFunc(cuts, func(t time.Duration) bool { return t < 0 || t >= end })
	return segments{starts: cuts, end: end}
}

// sliceOf returns how long an even slice is: a second, or more in long runs and large pools.
func sliceOf(end time.Duration, cells int) time.Duration {
	n := max(1, min(maxSlices, maxCells/max(cells, 1)))
	return max(time.Second, (end+time.Duration(n)-1)/time.Duration(n)).Round(time.Millisecond)
}

// cell counts the requests of one interface in one segment.
type cell struct {
	sent, errors, refused uint32
	statuses              [maxStatuses]uint32
	latency               *histogram
}

// maxStatuses is how many statuses are told apart; others count as the last one.
const maxStatuses = 12

// memberCell counts what one member had to do with them.
type memberCell struct{ answers, attempts, firsts, errors uint32 }

// collector counts what happens.
type collector struct {
	segments
	interfaces, members int
	cells               []cell       // by segment and interface
	parts               []memberCell // by segment, interface and member
	probes              []uint32     // by segment and member
	statusOf            [1000]uint8
	statuses            []uint16
	spare               []histogram

	attempts, probesSent uint64
	refusedAfterWell     uint64
}

func newCollector(s *Scenario, end time.Duration, interfaces, members int) *collector {
	c := &collector{interfaces: interfaces, members: members}
	c.segments = newSegments(s, end, interfaces*(members+1))
	n := len(c.starts)
	c.cells = make([]cell, n*interfaces)
	c.parts = make([]memberCell, n*interfaces*members)
	c.probes = make([]uint32, n*members)
	c.statuses = []uint16{0, 200, 500, 502, 503, 504}
	for i := range s.Expect {
		c.track(s.Expect[i].Status)
	}
	for i := range s.Events {
		if f := s.Events[i].Fault; f != nil {
			c.track(int(f.Status))
		}
	}
	for i, status := range c.statuses {
		c.statusOf[status] = uint8(i)
	}
	for i := range c.statusOf {
		if c.statusOf[i] == 0 && i != 0 {
			c.statusOf[i] = maxStatuses - 1
		}
	}
	return c
}

func (c *collector) track(status int) {
	if status > 0 && status < 1000 && len(c.statuses) < maxStatuses-1 && !slices.Contains(c.statuses, uint16(status)) {
		c.statuses = append(c.statuses, uint16(status))
	}
}

// at returns the segment of a moment; moments beyond the end belong to the last.
func (c *collector) at(t time.Duration) int {
	i, found := slices.BinarySearch(c.starts, t)
	if !found {
		i--
	}
	return max(i, 0)
}

// between returns the segments from one moment to another.
func (c *collector) between(from, to time.Duration) (first, last int) {
	first, _ = slices.BinarySearch(c.starts, from)
	last, _ = slices.BinarySearch(c.starts, to)
	if to >= c.end {
		last = len(c.starts)
	}
	return first, last
}

// buckets of a histogram: sixteen for each power of two of microseconds, up to about an hour.
const (
	subBits    = 4
	buckets    = (32 - subBits + 1) << subBits
	resolution = time.Microsecond
)

// histogram counts latencies, each to within a sixteenth of itself.
type histogram [buckets]uint32

func bucketOf(d time.Duration) int {
	u := uint64(d) / uint64(resolution)
	if u < 1<<subBits {
		return int(u)
	}
	e := bits.Len64(u) - 1
	if e > 31 {
		return buckets - 1
	}
	return (e-subBits+1)<<subBits + int(u>>(uint(e)-subBits)&(1<<subBits-1))
}

// bounds returns the latencies that a bucket holds: from low to below high.
func bounds(i int) (low, high time.Duration) {
	if i < 1<<subBits {
		return time.Duration(i) * resolution, time.Duration(i+1) * resolution
	}
	e := uint(i>>subBits) + subBits - 1
	base := uint64(1<<subBits+i&(1<<subBits-1)) << (e - subBits)
	return time.Duration(base) * resolution, time.Duration(base+1<<(e-subBits)) * resolution
}

func (h *histogram) add(g *histogram) {
	for i := range h {
		h[i] += g[i]
	}
}

// quantile returns the latency below which a part p of the requests stay.
func (h *histogram) quantile(p float64) (time.Duration, bool) {
	n := uint64(0)
	for _, k := range h {
		n += uint64(k)
	}
	if n == 0 {
		return 0, false
	}
	rank := p * float64(n)
	seen := 0.0
	for i, k := range h {
		if k == 0 {
			continue
		}
		if next := seen + float64(k); next >= rank {
			low, high := bounds(i)
			return low + time.Duration(float64(high-low)*max(0, rank-seen)/float64(k)), true
		} else {
			seen = next
		}
	}
	return 0, false
}

// latencyOf returns the histogram of a cell; they are made when a segment is first used.
func (c *collector) latencyOf(k *cell) *histogram {
	if k.latency == nil {
		if len(c.spare) == 0 {
			c.spare = make([]histogram, 16)
		}
		k.latency, c.spare = &c.spare[0], c.spare[1:]
	}
	return k.latency
}
