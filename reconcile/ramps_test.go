package reconcile

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// ramp writes a copy with batches in short: "5 10m 500n" is 5 percent, ten minutes, 500 samples; "implied" marks a batch
// that the engine adds, "r:eu" and "p:1" name regions and priorities, "manual" waits for a person.
func ramp(t *testing.T, batches ...string) *schema.Copy {
	t.Helper()
	c := &schema.Copy{Side: schema.Doc, Files: []string{"ramp"}, ItemAt: [schema.Items]schema.Span{schema.Ramp: schema.At(0, 1)}}
	for _, text := range batches {
		var b schema.Batch
		for _, w := range strings.Fields(text) {
			share, err := strconv.ParseFloat(w, 64)
			dwell, noDwell := time.ParseDuration(w)
			samples, isSamples := strings.CutSuffix(w, "n")
			switch {
			case err == nil:
				b.Share, b.HasShare = share, true
			case noDwell == nil:
				b.Dwell, b.HasDwell = dwell, true
			case w == "manual":
				b.Manual = true
			case w == "implied":
				b.Implied = true
			case strings.HasPrefix(w, "r:"):
				b.Regions = strings.Split(w[2:], "+")
			case strings.HasPrefix(w, "p:"):
				b.Priorities = strings.Split(w[2:], "+")
			case isSamples:
				if b.MinSamples, err = strconv.ParseInt(samples, 10, 64); err != nil {
					t.Fatal(err)
				}
			default:
				t.Fatalf("%q says nothing", w)
			}
		}
		c.Batches = append(c.Batches, b)
	}
	return c
}

func TestRamps(t *testing.T) {
	frozen := []string{"5 10m", "20 10m", "100"}
	for _, tt := range []struct {
		name        string
		truth, copy []string
		want        []string
	}{
		{"the same", frozen, frozen, nil},
		{"durations compare as lengths", frozen, []string{"5 600s", "20 10m", "100"}, nil},
		{"another share", frozen, []string{"5 10m", "50 10m", "100"}, []string{"differs batches[1].share: 5% 10m, 50% 10m, 100% not 5% 10m, 20% 10m, 100%"}},
		{"another dwell is a slip of units", frozen, []string{"5 10s", "20 10m", "100"}, []string{"differs batches[0].dwell: 5% 10s, 20% 10m, 100% not 5% 10m, 20% 10m, 100% x60"}},
		{"one dwell left out", frozen, []string{"5 10m", "20", "100"}, []string{"differs batches[1].dwell: 5% 10m, 20%, 100% not 5% 10m, 20% 10m, 100%"}},
		{"no dwell at all says nothing about dwells", frozen, []string{"5", "20", "100"}, nil},
		{"a truth without dwells says nothing about them", []string{"5", "20", "100"}, frozen, nil},
		{"the last dwell counts only where both write it", frozen, []string{"5 10m", "20 10m", "100 1h"}, nil},
		{"and then it does", []string{"5 10m", "100 1h"}, []string{"5 10m", "100 2h"}, []string{"differs batches[1].dwell: 5% 10m, 100% 2h not 5% 10m, 100% 1h"}},
		{"a batch too few", frozen, []string{"5 10m", "100"}, []string{"differs batches[1].share: 5% 10m, 100% not 5% 10m, 20% 10m, 100%"}},
		{"a batch too many", []string{"5 10m", "20 10m"}, []string{"5 10m", "20 10m", "100"}, []string{"differs batches: 5% 10m, 20% 10m, 100% not 5% 10m, 20% 10m"}},
		{"the engine's last step is a batch", frozen, []string{"5 10m", "20 10m", "100 implied"}, nil},
		{"samples count only where both write them", []string{"5 10m 500n", "100"}, []string{"5 10m", "100"}, nil},
		{"and then they do", []string{"5 10m 500n", "100"}, []string{"5 10m 50n", "100"}, []string{"differs batches[0].minSamples: 5% 10m 50 samples, 100% not 5% 10m 500 samples, 100%"}},
		{"a person is no dwell", []string{"5 manual", "100"}, []string{"5 10m", "100"}, []string{"differs batches[0].dwell: 5% 10m, 100% not 5% manual, 100%"}},
		{"regions", []string{"r:eu 10m", "r:us+ap"}, []string{"r:eu 10m", "r:us"}, []string{"differs batches[1].regions: regions eu 10m, regions us not regions eu 10m, regions us+ap"}},
		{"shares stand for regions where both write shares", []string{"5 r:eu 10m", "100"}, []string{"5 10m", "100"}, nil},
		{"priorities", []string{"p:1 10m", "p:0"}, []string{"p:1 10m", "p:0"}, nil},
		{"a copy without batches says nothing", frozen, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := words(Ramps(NewView(ramp(t, tt.truth...)), ramp(t, tt.copy...)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRampUnresolved(t *testing.T) {
	truth := NewView(ramp(t, "5 10m", "20 10m", "100"))
	c := ramp(t, "5 10m", "50 10m", "100")
	c.Unresolve("ramp.batches[1].share", "${SHARE}", schema.At(0, 1))
	if got := words(Ramps(truth, c)); got != nil {
		t.Error(got)
	}
}

func TestStops(t *testing.T) {
	with := func(stops ...schema.Stop) *schema.Copy {
		c := ramp(t, "100")
		c.Stops = stops
		return c
	}
	errors := schema.Stop{Metric: "error-rate", HasAbove: true, Above: 0.01}
	tail := schema.Stop{Metric: "latency-p99", HasAbove: true, Above: 1.5, Against: "baseline"}
	absolute := errors
	absolute.Against = "absolute"
	loose := errors
	loose.Above = 0.05
	for _, tt := range []struct {
		name        string
		truth, copy *schema.Copy
		want        int
	}{
		{"another order", with(errors, tail), with(tail, errors), 0},
		{"absolute is what nobody writes", with(errors), with(absolute), 0},
		{"a copy without stops", with(errors), with(), 0},
		{"a looser line", with(errors), with(loose), 1},
		{"one condition less", with(errors, tail), with(errors), 1},
	} {
		if got := Ramps(NewView(tt.truth), tt.copy); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, words(got))
		}
	}
}
