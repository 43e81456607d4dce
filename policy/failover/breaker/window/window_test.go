package window

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// entry is one result as the naive windows of these tests keep it.
type entry struct {
	at     time.Duration // when its call was admitted or finished, by which it is credited
	sample Sample
}

// count sums entries in the order in which they were reported.
func count(entries []entry) Counts {
	var c Counts
	for _, e := range entries {
		c.Add(e.sample)
	}
	return c
}

func sampleGen() *rapid.Generator[Sample] {
	return rapid.Custom(func(t *rapid.T) Sample {
		return Sample{Failed: rapid.Bool().Draw(t, "failed"), Slow: rapid.Bool().Draw(t, "slow")}
	})
}

// step is mostly short and now and then longer than any window.
func stepGen() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.IntRange(0, 12).Draw(t, "step")) }),
		rapid.SampledFrom([]time.Duration{0, 10, 100, 1000, 1 << 40}),
	)
}

func TestLastNAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 130).Draw(t, "n")
		w := LastN(n).New()
		var list []entry
		for range rapid.IntRange(0, 300).Draw(t, "adds") {
			if rapid.IntRange(0, 40).Draw(t, "reset") == 0 {
				w.Reset(0)
				list = nil
			}
			s := sampleGen().Draw(t, "sample")
			w.Add(w.Epoch(0), s)
			list = append(list, entry{sample: s})
			if want := count(list[max(0, len(list)-n):]); w.Counts() != want {
				t.Fatalf("counts %+v, want %+v", w.Counts(), want)
			}
		}
	})
}

func TestRollingAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := time.Duration(rapid.IntRange(1, 10).Draw(t, "width"))
		n := rapid.IntRange(1, 8).Draw(t, "buckets")
		aligned := rapid.Bool().Draw(t, "aligned")
		spec := Rolling(width*time.Duration(n), n)
		if aligned {
			spec = Aligned(width*time.Duration(n), n)
		}
		w := spec.New()
		origin, now := time.Duration(0), time.Duration(0)
		var list []entry
		for range rapid.IntRange(0, 200).Draw(t, "ops") {
			now += stepGen().Draw(t, "step")
			if rapid.IntRange(0, 40).Draw(t, "reset") == 0 {
				w.Reset(now)
				list = nil
				if !aligned {
					origin = now
				}
			}
			s := sampleGen().Draw(t, "sample")
			w.Add(w.Epoch(now), s)
			list = append(list, entry{now, s})
			number := func(at time.Duration) time.Duration { return (at - origin) / width }
			var in []entry
			for _, e := range list {
				if number(e.at) > number(now)-time.Duration(n) {
					in = append(in, e)
				}
			}
			if want := count(in); w.Counts() != want {
				t.Fatalf("at %d: counts %+v, want %+v", now, w.Counts(), want)
			}
		}
	})
}

// Results credited to the part in which their call was admitted: totals follow the admission, and nothing of a part that
// has left remains.
func TestRollingCreditsAdmission(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, n := time.Duration(10), rapid.IntRange(1, 5).Draw(t, "buckets")
		w := Rolling(width*time.Duration(n), n).New()
		type call struct {
			at    time.Duration
			epoch uint64
		}
		var flying []call
		var list []entry
		var now time.Duration
		for range rapid.IntRange(0, 200).Draw(t, "ops") {
			now += stepGen().Draw(t, "step")
			epoch := w.Epoch(now)
			if len(flying) == 0 || rapid.Bool().Draw(t, "admit") {
				flying = append(flying, call{now, epoch})
			} else {
				i := rapid.IntRange(0, len(flying)-1).Draw(t, "which")
				s := sampleGen().Draw(t, "sample")
				w.Add(flying[i].epoch, s)
				list = append(list, entry{flying[i].at, s})
				flying = append(flying[:i], flying[i+1:]...)
			}
			var want Counts
			for _, e := range list {
				if e.at/width > now/width-time.Duration(n) {
					want.Add(e.sample)
				}
			}
			got := w.Counts()
			if got.Total != want.Total || got.Failures != want.Failures || got.Slow != want.Slow {
				t.Fatalf("at %d: counts %+v, want %+v", now, got, want)
			}
			if got.Run > got.Failures || got.Total == got.Failures && got.Run != got.Failures {
				t.Fatalf("at %d: a run of %d among %+v", now, got.Run, got)
			}
		}
	})
}

func TestTumbling(t *testing.T) {
	w := Tumbling(10 * time.Second).New()
	add := func(at time.Duration, failed bool) Counts {
		w.Add(w.Epoch(at), Sample{Failed: failed})
		return w.Counts()
	}
	for _, c := range []struct {
		at     time.Duration
		failed bool
		want   Counts
	}{
		{3 * time.Second, true, Counts{Total: 1, Failures: 1, Run: 1}},
		{9999 * time.Millisecond, true, Counts{Total: 2, Failures: 2, Run: 2}},
		{10 * time.Second, true, Counts{Total: 1, Failures: 1, Run: 1}},  // the period is over at its very end
		{29 * time.Second, false, Counts{Total: 1}},                      // a period begins with its first call, at 29 s
		{38 * time.Second, true, Counts{Total: 2, Failures: 1, Run: 1}},  // so 30 s is nothing
		{39 * time.Second, true, Counts{Total: 1, Failures: 1, Run: 1}},  // and 39 s is its end
		{20 * time.Second, false, Counts{Total: 2, Failures: 1, Run: 0}}, // a time before is a span of zero
	} {
		if got := add(c.at, c.failed); got != c.want {
			t.Errorf("at %v: %+v, want %+v", c.at, got, c.want)
		}
	}
	old := w.Epoch(39 * time.Second)
	w.Epoch(49 * time.Second)
	w.Add(old, Sample{Failed: true})
	if got := w.Counts(); got != (Counts{}) {
		t.Errorf("a result of the period before counts: %+v", got)
	}
	w.Reset(50 * time.Second)
	if add(59*time.Second, true); w.Counts().Total != 1 {
		t.Errorf("period after a reset at 50 s: %+v", w.Counts())
	}
	if add(60*time.Second, true); w.Counts().Total != 1 {
		t.Errorf("period after a reset at 50 s lasts beyond 60 s: %+v", w.Counts())
	}
}

func TestRunEndsWhereTheWindowDoes(t *testing.T) {
	w := Rolling(3*time.Second, 3).New()
	for s := range 5 {
		now := time.Duration(s) * time.Second
		w.Add(w.Epoch(now), Sample{Failed: true})
	}
	if got := w.Counts(); got.Run != 3 {
		t.Errorf("run of %d failures in a window that holds 3", got.Run)
	}
}

func TestBackwardsClockIsASpanOfZero(t *testing.T) {
	for _, spec := range []Spec{Rolling(time.Second, 4), Aligned(time.Second, 4), Tumbling(time.Second)} {
		w := spec.New()
		w.Reset(time.Hour)
		w.Add(w.Epoch(time.Hour), Sample{})
		w.Add(w.Epoch(time.Minute), Sample{})
		w.Add(w.Epoch(-time.Minute), Sample{})
		if got := w.Counts(); got.Total != 3 {
			t.Errorf("%+v: %+v after two steps backwards", spec, got)
		}
	}
}

func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		spec Spec
		ok   bool
	}{
		"zero":                {Spec{}, true},
		"since":               {Since(), true},
		"last 1":              {LastN(1), true},
		"last 0":              {LastN(0), false},
		"last too many":       {LastN(MaxSize + 1), false},
		"tumbling":            {Tumbling(1), true},
		"tumbling of nothing": {Tumbling(0), false},
		"rolling":             {Rolling(10, 10), true},
		"no buckets":          {Rolling(10, 0), false},
		"too many buckets":    {Aligned(time.Hour, MaxBuckets+1), false},
		"less than 1ns each":  {Rolling(9, 10), false},
		"negative":            {Aligned(-5, 1), false},
		"custom":              {Custom(func() Window { return LastN(1).New() }), true},
		"custom without func": {Custom(nil), false},
	} {
		if err := c.spec.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestPartsThatAreNotInTheWindow(t *testing.T) {
	w := Rolling(4, 4).New()
	before := w.Epoch(100)
	w.Epoch(103)
	if !w.Add(before, Sample{}) {
		t.Error("the oldest part in the window does not count")
	}
	w.Epoch(104)
	for _, epoch := range []uint64{before, before + 5, 1 << 63, 1<<64 - 1} {
		if w.Add(epoch, Sample{}) {
			t.Errorf("part %d counts although it is not in the window", epoch)
		}
	}
	if got := w.Counts(); got.Total != 0 {
		t.Errorf("counts %+v", got)
	}
}

func TestNothingAllocates(t *testing.T) {
	for _, spec := range []Spec{Since(), LastN(100), Tumbling(time.Second), Rolling(time.Second, 10), Aligned(time.Second, 10)} {
		w := spec.New()
		var now time.Duration
		if n := testing.AllocsPerRun(1000, func() {
			now += 37 * time.Millisecond
			w.Add(w.Epoch(now), Sample{Failed: now%2 == 0})
			_ = w.Counts()
		}); n != 0 {
			t.Errorf("%+v: %v allocations a result", spec, n)
		}
	}
}
