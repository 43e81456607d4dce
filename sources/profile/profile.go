// Package profile knows what engines do with settings: the defaults they fill in, the values they silently change, and
// the traits that make a rule right for one engine and a false alarm for another. One file an engine.
//
// A profile is named by engine and version ("haproxy-2.6"). The facts come from the engines' own sources and manuals;
// each file names them.
package profile

import (
	"strconv"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
)

// TimeoutRule says what an engine makes of a probe timeout that is not below the interval.
type TimeoutRule uint8

// What engines do with a long probe timeout.
const (
	TimeoutFree     TimeoutRule = iota // harmless: the engine waits for the probe, or bounds the read by itself
	TimeoutOverlaps                    // probes pile up
	TimeoutRefused                     // the engine refuses the configuration
)

// ZeroWeight says what weight 0 means to an engine.
type ZeroWeight uint8

// The meanings of weight 0.
const (
	ZeroUnknown ZeroWeight = iota
	ZeroDrains             // no new traffic
	ZeroRefused            // not a legal value
	ZeroIsOne              // read as 1
)

// Traits are the facts about an engine that rules ask for.
type Traits struct {
	Timeout    TimeoutRule
	ZeroWeight ZeroWeight
	// DefaultWeight is the weight of a member that writes none; 0 where there is no such thing.
	DefaultWeight int64
	// Tiers: the engine has priorities or backups and states, so a member without them is active and in the first tier.
	Tiers bool
	// FirstBackupOnly: of several backups only the first takes traffic unless a setting says otherwise.
	FirstBackupOnly bool
	// Probes: the engine can run active probes at all.
	Probes bool
	// AllOut is what the engine does when no member is left: "pass", "reject", or empty where settings decide.
	AllOut string
	// SpreadsProbes: the engine spreads the checks of a pool over the interval by itself.
	SpreadsProbes bool
	// FreshWindow: after a cooldown the engine counts into a new, empty window, so failures from before cannot remove the
	// member again.
	FreshWindow bool
	// Workers multiplies probes and thresholds where each worker keeps its own state.
	PerWorker bool
}

// Profile is one engine, at a version or at none.
type Profile struct {
	// Name is the engine's name: "haproxy".
	Name string
	// Version is the version that the manifest names, empty where nobody said which runs.
	Version string
	Traits  Traits
	// Complete returns what the engine really uses for the copy's settings where that is not just what is written:
	// defaults for the items that the copy writes (never for others), clamped values, and notes. May be nil.
	Complete func(c *schema.Copy, v Version) []schema.Effective
}

// Version is an engine version as far as profiles tell versions apart. The zero Version is "nobody said".
type Version struct{ Major, Minor int }

// Known reports whether a version was named.
func (v Version) Known() bool { return v != Version{} }

// Less orders versions.
func (v Version) Less(major, minor int) bool {
	return v.Major < major || v.Major == major && v.Minor < minor
}

// ParseVersion reads "2.6", "2.6.12" or "2".
func ParseVersion(s string) (Version, bool) {
	major, rest, _ := strings.Cut(s, ".")
	minor, _, _ := strings.Cut(rest, ".")
	var v Version
	var err error
	if v.Major, err = strconv.Atoi(major); err != nil {
		return Version{}, false
	}
	if minor != "" {
		if v.Minor, err = strconv.Atoi(minor); err != nil {
			return Version{}, false
		}
	}
	return v, true
}

// known is the list of profiles, built once and only read: profiles are looked up for every copy.
var known = sync.OnceValue(All)

// Lookup returns the profile of a name like "haproxy", "haproxy-2.6" or "argo-rollouts-1.7".
func Lookup(name string) (Profile, bool) {
	if name == "" {
		return Profile{}, false
	}
	for _, p := range known() {
		if name == p.Name {
			return p, true
		}
		if version, ok := strings.CutPrefix(name, p.Name+"-"); ok {
			if _, ok := ParseVersion(version); ok {
				p.Version = version
				return p, true
			}
		}
	}
	return Profile{}, false
}

// EffectiveOf returns what the engine really uses for a copy's settings, sorted by nothing: in the profile's order.
func (p Profile) EffectiveOf(c *schema.Copy) []schema.Effective {
	if p.Complete == nil {
		return nil
	}
	v, _ := ParseVersion(p.Version)
	return p.Complete(c, v)
}
