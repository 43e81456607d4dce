package cooldown

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLength(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name string
		cfg  Config
		want []time.Duration // of the 1st, 2nd, ... removal in a row
	}{
		{"zero value", Config{}, []time.Duration{30 * s, 30 * s, 30 * s}},
		{"none", Config{Duration: None, Growth: Exponential}, []time.Duration{0, 0, 0}},
		{"constant", Config{Duration: 5 * s, Factor: 3}, []time.Duration{5 * s, 5 * s}},
		{"linear", Config{Duration: 30 * s, Growth: Linear, Max: 100 * s}, []time.Duration{30 * s, 60 * s, 90 * s, 100 * s, 100 * s}},
		{"linear by half", Config{Duration: 10 * s, Growth: Linear, Factor: 0.5}, []time.Duration{10 * s, 15 * s, 20 * s}},
		{"exponential", Config{Duration: s, Growth: Exponential}, []time.Duration{s, 2 * s, 4 * s, 8 * s}},
		{"exponential by 1.5", Config{Duration: 2 * s, Growth: Exponential, Factor: 1.5, Max: 4 * s}, []time.Duration{2 * s, 3 * s, 4 * s, 4 * s}},
	} {
		if err := c.cfg.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i, want := range c.want {
			if got := c.cfg.Length(i + 1); got != want {
				t.Errorf("%s: removal %d lasts %v, want %v", c.name, i+1, got, want)
			}
		}
	}
	if got := (Config{Growth: Exponential}).Length(1 << 40); got != Forever {
		t.Errorf("a length without bound is %v, want %v", got, Forever)
	}
	if got := (Config{Growth: Exponential, Max: time.Minute}).Length(math.MaxInt); got != time.Minute {
		t.Errorf("a bounded length is %v", got)
	}
	if got := (Config{}).Length(-3); got != Default {
		t.Errorf("removal -3 lasts %v", got)
	}
}

func TestRow(t *testing.T) {
	const s = time.Second
	r := NewRow(Config{Duration: 10 * s, Growth: Exponential}, nil)
	removed := func(at, want time.Duration) {
		t.Helper()
		if got := r.Removed(at); got != want {
			t.Errorf("removed at %v for %v, want %v", at, got, want)
		}
	}
	removed(0, 10*s)
	removed(10*s, 20*s)
	removed(30*s, 40*s)
	r.Returned(70 * s)
	removed(71*s, 10*s)
}

func TestRowDecays(t *testing.T) {
	const s = time.Second
	r := NewRow(Config{Duration: 10 * s, Growth: Linear, Decay: 60 * s}, nil)
	removed := func(at, want time.Duration) {
		t.Helper()
		if got := r.Removed(at); got != want {
			t.Errorf("removed at %v for %v, want %v", at, got, want)
		}
	}
	removed(0, 10*s)
	removed(500*s, 20*s) // out all the while: nothing decays
	removed(900*s, 30*s)
	r.Returned(1000 * s)
	removed(1059*s, 40*s) // less than a step in service
	r.Returned(1100 * s)
	removed(1220*s, 30*s) // two steps back, one forward
	r.Returned(1300 * s)
	removed(99999*s, 10*s)
	r.Returned(100000 * s)
	removed(1*s, 20*s) // a time before is a span of zero: nothing has decayed
}

func TestRowKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Duration: time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "duration")),
			Growth:   rapid.SampledFrom([]Growth{Constant, Linear, Exponential}).Draw(t, "growth"),
			Factor:   rapid.SampledFrom([]float64{0, 1, 1.5, 3}).Draw(t, "factor"),
			Jitter:   rapid.Float64Range(0, 1).Draw(t, "jitter"),
		}
		if rapid.Bool().Draw(t, "bounded") {
			cfg.Max = cfg.Duration * time.Duration(rapid.IntRange(1, 9).Draw(t, "max"))
		}
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		r := NewRow(cfg, draws{t})
		for n := 1; n < 40; n++ {
			base, got := cfg.Length(n), r.Removed(0)
			if cfg.Max > 0 && got > cfg.Max || got < 0 || got > Forever {
				t.Fatalf("removal %d lasts %v, out of bounds", n, got)
			}
			low, high := float64(base)*(1-cfg.Jitter), float64(base)*(1+cfg.Jitter)
			if float64(got) < low-1 || float64(got) > high+1 {
				t.Fatalf("removal %d lasts %v, beyond %v +- %v", n, got, base, cfg.Jitter)
			}
			if n > 1 && base < cfg.Length(n-1) {
				t.Fatalf("removal %d is shorter than the one before", n)
			}
		}
	})
}

type draws struct{ t *rapid.T }

func (d draws) Float64() float64 {
	return rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(d.t, "random")
}

func TestValidate(t *testing.T) {
	for _, c := range []Config{
		{Duration: -2}, {Max: time.Second}, {Max: -1}, {Growth: 9}, {Factor: -1}, {Factor: math.NaN()}, {Factor: math.Inf(1)},
		{Growth: Exponential, Factor: 0.5}, {Jitter: 1.1}, {Jitter: -0.1}, {Jitter: math.NaN()}, {Decay: -1},
	} {
		if c.Validate() == nil {
			t.Errorf("%+v passes", c)
		}
	}
}
