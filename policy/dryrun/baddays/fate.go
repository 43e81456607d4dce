package baddays

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// sharing are the bad days on which what members share is ill, and nothing else.
func sharing() []string { return []string{"shared-link-jitter", "shared-link-hang", "one-quota"} }

// Fate is one fault of what some members share that has taken every member out, those that do not share it included.
type Fate struct {
	// Common is what they share, Members who they are.
	Common  string
	Members []string
	// AllOut is for how long nobody was left, in the median.
	AllOut time.Duration
}

// FateOf says whether a bad day showed a shared fate: it hit members of which the copy writes that they share something,
// not all there are, and nobody was left. Where all share one thing, the settings say so without a play.
func FateOf(name string, c *schema.Copy, t *dryrun.Traffic, sum *dryrun.Summary) (Fate, bool) {
	if sum == nil || !slices.Contains(sharing(), name) {
		return Fate{}, false
	}
	p, ok := castOf(c, t)
	if !ok || p.Common == "" || everybody(p.Shared, c) {
		return Fate{}, false
	}
	for _, m := range sum.Metrics {
		if m.Name == "all-out" && m.Median > 0 {
			return Fate{p.Common, p.Shared, time.Duration(m.Median * float64(time.Second))}, true
		}
	}
	return Fate{}, false
}

// everybody reports whether the list holds each member that takes traffic.
func everybody(list []string, c *schema.Copy) bool {
	for i := range c.Members {
		if m := &c.Members[i]; m.IsActive() && weight(m) > 0 && !slices.Contains(list, m.ID()) {
			return false
		}
	}
	return true
}
