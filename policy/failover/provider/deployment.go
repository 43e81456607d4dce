package provider

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// Deployment is one place where a model can be asked.
type Deployment struct {
	Provider, Region, Model string
	// Tier orders deployments; those of the smallest are what was chosen, the others are fallbacks.
	Tier int64
	// ContextWindow is in tokens; 0: nobody said.
	ContextWindow int
	// Features are what it can do besides plain text: "tools", "structured-output", "vision". Listed says that the list was
	// written, so that what is not in it is missing.
	Features []string
	Listed   bool
	// Permission and Quota say that both were verified.
	Permission, Quota bool
}

// Of returns the deployments of a copy, in the order of its members. Members that are addresses count as deployments of
// a provider of that name. Those that are disabled, drained or of weight 0 are left out; at says which member each is.
func Of(c *schema.Copy) (list []Deployment, at []int) {
	for i := range c.Members {
		m := &c.Members[i]
		if !m.IsActive() || m.HasWeight && m.Weight == 0 {
			continue
		}
		d := Deployment{Provider: m.Provider, Model: m.Model, Tier: m.Priority}
		if d.Provider == "" && d.Model == "" {
			d.Provider = m.ID()
		}
		if m.Backup == schema.Yes {
			d.Tier += 1 << 40 // after all priorities
		}
		text := func(p schema.Path) string { f, _ := m.Get(p); return f.Value.Text() }
		yes := func(p schema.Path) bool { f, ok := m.Get(p); return ok && f.Value.Bool() }
		d.Region = text("region")
		if f, ok := m.Get("contextWindow"); ok {
			d.ContextWindow = int(max(0, f.Value.Int()))
		}
		if f, ok := m.Get("features"); ok {
			d.Features, d.Listed = slices.Clone(f.Value.List()), true
		}
		d.Permission, d.Quota = yes("verified.permission"), yes("verified.quota")
		list, at = append(list, d), append(at, i)
	}
	return list, at
}

// Domain is what one verdict covers.
type Domain struct{ Provider, Region, Model, Capability string }

// Reason says why a deployment is not asked.
type Reason uint8

// The reasons.
const (
	// Fits: nothing keeps it from being asked.
	Fits Reason = iota
	// WindowTooSmall: the request has more tokens than its context window.
	WindowTooSmall
	// WindowUnknown: a fallback of which nobody said how much it takes.
	WindowUnknown
	// FeatureMissing: it does not list a feature that the request needs.
	FeatureMissing
	// PermissionUnverified and QuotaUnverified: nobody has checked that a fallback may be used, and how much.
	PermissionUnverified
	QuotaUnverified
)

// String returns the reason in words.
func (r Reason) String() string {
	names := [...]string{"fits", "its context window is too small", "its context window is not known", "it lacks a feature", "its permission was not verified", "its quota was not verified"}
	if int(r) < len(names) {
		return names[r]
	}
	return "unknown"
}

// fits says whether a deployment may be asked.
func (d *deployment) fits(n *Need) Reason {
	switch {
	case d.window > 0 && n.tokens > d.window:
		return WindowTooSmall
	case d.listed && n.features&^d.features != 0:
		return FeatureMissing
	case !d.fallback:
		return Fits
	case d.window == 0 && n.tokens > 0:
		return WindowUnknown
	case n.features&^d.features != 0:
		return FeatureMissing
	case !d.permission:
		return PermissionUnverified
	case !d.quota:
		return QuotaUnverified
	}
	return Fits
}
