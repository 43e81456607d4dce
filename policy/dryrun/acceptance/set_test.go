package acceptance_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
)

// TestSharedPlaysChangeNothing: a case gives the same whether what it has in common with others was played before, on one
// core or many.
func TestSharedPlaysChangeNothing(t *testing.T) {
	c := readText(t, good)
	shared := playAll(t, c, 120, 2)
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	for i, id := range acceptance.IDs() {
		alone := acceptance.Play(id, c, load(), 2)
		if !reflect.DeepEqual(alone, shared[i]) {
			t.Errorf("%s: alone %s, with the others %s", id, alone.Observed, shared[i].Observed)
		}
	}
}

// TestMoreTrafficChangesNothing: a pool with much traffic is played with as much as its floors need, and passes.
func TestMoreTrafficChangesNothing(t *testing.T) {
	c := readText(t, good)
	for _, rps := range []float64{120, 50_000} {
		for i, out := range playAll(t, c, rps, 1) {
			if out.Pass != dryrun.Held {
				t.Errorf("%g a second: %s: %s", rps, acceptance.IDs()[i], out.Observed)
			}
			if n := out.Summary.First.Metrics.Requests; n > 100_000 {
				t.Errorf("%g a second: %s took %d requests", rps, acceptance.IDs()[i], n)
			}
		}
	}
}

// TestGivenUp: a case that is given up is no verdict, and the next one is played all the same.
func TestGivenUp(t *testing.T) {
	set := acceptance.New(readText(t, good), load(), 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user went away"))
	id := acceptance.IDs()[0]
	if out := set.Play(ctx, id); out.Pass != dryrun.NotApplicable || !strings.Contains(out.Observed.En, "the user went away") {
		t.Errorf("%+v", out)
	}
	if out := set.Play(t.Context(), id); out.Pass != dryrun.Held {
		t.Errorf("%+v", out)
	}
}

// TestCostOfAPool: the cases of one pool cost far less than what a check of a change allows.
func TestCostOfAPool(t *testing.T) {
	c := readText(t, good)
	playAll(t, c, 120, acceptance.QuickSeeds)
	best := used()
	for range 3 {
		before := used()
		playAll(t, c, 120, acceptance.QuickSeeds)
		best = min(best, used()-before)
	}
	if ms := best.Milliseconds(); ms > limit {
		t.Errorf("%d ms of processor time, %d are allowed", ms, limit)
	}
}
