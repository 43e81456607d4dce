package report

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

func TestSortOrder(t *testing.T) {
	at := func(side schema.Side, file string, start int) schema.Place {
		return schema.Place{Side: side, File: file, Span: schema.At(start, start+1)}
	}
	want := []schema.Finding{
		{Rule: "source/syntax", At: at(schema.Doc, "z.md", 5)},
		{Rule: "z/z", Pool: "a", Item: schema.Members, At: at(schema.Doc, "a.md", 9)},
		{Rule: "a/a", Pool: "a", Item: schema.Probe, At: at(schema.App, "b.yaml", 30)},
		{Rule: "a/a", Pool: "a", Item: schema.Probe, At: at(schema.Gateway, "a.cfg", 5)},
		{Rule: "a/a", Pool: "a", Item: schema.Probe, At: at(schema.Gateway, "a.cfg", 100)},
		{Rule: "b/b", Pool: "a", Item: schema.Probe, At: at(schema.Gateway, "a.cfg", 100)},
		{Rule: "b/b", Pool: "a", Item: schema.Probe, Got: "1", At: at(schema.Gateway, "a.cfg", 100)},
		{Rule: "b/b", Pool: "a", Item: schema.Probe, Got: "1", At: at(schema.Gateway, "a.cfg", 100), Related: []schema.Related{{Value: "x"}}},
		{Rule: "a/a", Pool: "a", Env: "prod", Item: schema.Members},
		{Rule: "a/a", Pool: "b"},
	}
	for seed := range uint64(50) {
		got := slices.Clone(want)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// The order is the same before and after the positions are known.
func TestSortDoesNotDependOnLocate(t *testing.T) {
	before, after := fixture(), fixture()
	for i := range before.Findings {
		before.Findings[i].At.Line, before.Findings[i].At.Column = 0, 0
	}
	slices.Reverse(before.Findings)
	slices.Reverse(after.Findings)
	Sort(before.Findings)
	Sort(after.Findings)
	for i := range before.Findings {
		if before.Findings[i].Fingerprint != after.Findings[i].Fingerprint {
			t.Fatalf("finding %d differs", i)
		}
	}
}
