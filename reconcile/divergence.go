package reconcile

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// DivergenceKind says how a copy differs from the truth.
type DivergenceKind uint8

// The kinds of divergences. The zero kind is none of them.
const (
	Missing       DivergenceKind = iota + 1 // a member that the truth has and the copy lacks
	Extra                                   // a member that only the copy has
	Differs                                 // a value that differs
	CannotCompare                           // names on one side, addresses on the other, and nothing that joins them
)

// Divergence is a value on which a copy and the truth differ. It says nothing about who is right.
type Divergence struct {
	Kind DivergenceKind
	Item schema.Item
	// Field is the path inside the item: "interval", "weight", "batches[1].dwell"; empty for whole members.
	Field  string
	Member string // identity, for members
	Truth  *schema.Copy
	Copy   *schema.Copy
	// TruthAt and At are where the two values stand; for what is missing, At is the list that should have it.
	TruthAt schema.Span
	At      schema.Span
	Want    string
	Got     string
	// Implied explains a truth that is not written but what the engine uses.
	Implied *schema.Effective
	// Excused counts what could stand behind unresolved entries; Names lists the members concerned where there are
	// several.
	Excused int
	Names   []string
	// Factor is 60, 1000, 3600 or 86400 where the two values differ by just that: a slip of units.
	Factor int
}

// slips are the ratios of the common time units.
var slips = []int64{60, 1000, 3600, 86400}

// factor returns the ratio of two durations or numbers if it is one of the slips, else 0.
func factor(a, b schema.Value) int {
	x, y := magnitude(a), magnitude(b)
	if x <= 0 || y <= 0 {
		return 0
	}
	if x < y {
		x, y = y, x
	}
	for _, s := range slips {
		if x == y*float64(s) {
			return int(s)
		}
	}
	return 0
}

func magnitude(v schema.Value) float64 {
	if v.Kind() == schema.Duration {
		return float64(v.Duration())
	}
	return v.Number()
}

func durationFactor(a, b time.Duration) int {
	return factor(schema.DurationOf(a), schema.DurationOf(b))
}
