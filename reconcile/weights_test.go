package reconcile

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

func TestRefusedWeightIsNoDefault(t *testing.T) {
	truth := list(t, a, b+" w50", c+" w50")
	for i := range truth.Members {
		truth.Members[i].At = schema.At(i*10, i*10+9)
	}
	copied := list(t, a+" w7", b+" w1", c+" w1")
	view := NewView(truth)
	view.Profile = profile.Profile{Traits: profile.Traits{DefaultWeight: 1}}
	if got := words(MembersOf(view, copied, nil)); len(got) != 1 {
		t.Errorf("an unwritten weight is the default: %q", got)
	}
	truth.Unresolve("server.a.weight", "300", schema.At(5, 8))
	if got := words(MembersOf(view, copied, nil)); got != nil {
		t.Errorf("a refused weight stands for nothing: %q", got)
	}
}
