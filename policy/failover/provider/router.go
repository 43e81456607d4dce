package provider

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
)

// maxFeatures bounds the different features of all deployments together.
const maxFeatures = 64

// Errors of New and Need.
var (
	// ErrNoDeployments: there is nothing to ask.
	ErrNoDeployments = errors.New("no deployment")
	// ErrTooLarge: there are more features than can be told apart.
	ErrTooLarge = errors.New("too many features")
	// ErrUnknownCapability: the router was made without that capability.
	ErrUnknownCapability = errors.New("no such capability")
)

// Config describes a Router.
type Config struct {
	Deployments []Deployment
	// Capabilities are those for which verdicts are told apart ("chat", "tools", "vision"); empty: there is one.
	Capabilities []string
	// Breaker makes the breaker of a health domain; nil makes a three-state one with its defaults.
	Breaker func(Domain) (breaker.Breaker, error)
	// Classifier says what counts; nil takes the defaults of package breaker.
	Classifier *breaker.Classifier
}

// Router moves requests between deployments. Make it with New.
type Router struct {
	list         []deployment
	tiers        [][]int // deployments, by tier
	capabilities []string
	features     []string
	breakers     []breaker.Breaker // domain x capability
	domains      []Domain
	classifier   *breaker.Classifier
	turn         atomic.Uint32
}

// deployment is a Deployment as requests go by it.
type deployment struct {
	domain            int // number of its first breaker
	window            int
	features          uint64
	listed, fallback  bool
	permission, quota bool
}

// New makes a router, with all breakers closed.
func New(cfg Config) (*Router, error) {
	if len(cfg.Deployments) == 0 {
		return nil, fmt.Errorf("making a router: %w", ErrNoDeployments)
	}
	r := &Router{capabilities: slices.Clone(cfg.Capabilities), classifier: cfg.Classifier}
	if len(r.capabilities) == 0 {
		r.capabilities = []string{""}
	}
	if r.classifier == nil {
		r.classifier = breaker.NewClassifier()
	}
	if cfg.Breaker == nil {
		cfg.Breaker = func(Domain) (breaker.Breaker, error) { return threestate.New(threestate.Config{}) }
	}
	first := cfg.Deployments[0].Tier
	for i := range cfg.Deployments {
		first = min(first, cfg.Deployments[i].Tier)
	}
	for i := range cfg.Deployments {
		if err := r.add(&cfg, &cfg.Deployments[i], first); err != nil {
			return nil, fmt.Errorf("making a router: %w", err)
		}
	}
	r.sort(cfg.Deployments)
	return r, nil
}

// add takes in one deployment, with the breakers of its domains if they are new.
func (r *Router) add(cfg *Config, d *Deployment, first int64) error {
	own := deployment{window: d.ContextWindow, listed: d.Listed, fallback: d.Tier > first, permission: d.Permission, quota: d.Quota, domain: -1}
	for _, f := range d.Features {
		bit, err := r.feature(f)
		if err != nil {
			return err
		}
		own.features |= bit
	}
	of := Domain{Provider: d.Provider, Region: d.Region, Model: d.Model, Capability: r.capabilities[0]}
	if own.domain = slices.Index(r.domains, of); own.domain < 0 {
		own.domain = len(r.domains)
		for _, c := range r.capabilities {
			of.Capability = c
			b, err := cfg.Breaker(of)
			if err != nil {
				return fmt.Errorf("the breaker of %v: %w", of, err)
			}
			r.domains, r.breakers = append(r.domains, of), append(r.breakers, b)
		}
	}
	r.list = append(r.list, own)
	return nil
}

// feature returns the bit of a feature, which may be new.
func (r *Router) feature(name string) (uint64, error) {
	i := slices.Index(r.features, name)
	if i < 0 {
		if i = len(r.features); i == maxFeatures {
			return 0, fmt.Errorf("feature %q is one of more than %d: %w", name, maxFeatures, ErrTooLarge)
		}
		r.features = append(r.features, name)
	}
	return 1 << i, nil
}

// sort arranges the deployments by tier.
func (r *Router) sort(list []Deployment) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].Tier, list[b].Tier) })
	for k, i := range order {
		if k == 0 || list[i].Tier != list[order[k-1]].Tier {
			r.tiers = append(r.tiers, nil)
		}
		last := len(r.tiers) - 1
		r.tiers[last] = append(r.tiers[last], i)
	}
}

// Need is what a request needs, prepared once for many requests of a kind.
type Need struct {
	tokens     int
	features   uint64
	capability int
	impossible bool // a feature that no deployment lists
}

// Need prepares what requests need: as many tokens at most (0: not known), these features, and the capability whose
// verdicts they go by; empty is the first one.
func (r *Router) Need(tokens int, capability string, features ...string) (Need, error) {
	n := Need{tokens: max(0, tokens)}
	if capability != "" {
		if n.capability = slices.Index(r.capabilities, capability); n.capability < 0 {
			return Need{}, fmt.Errorf("capability %q: %w", capability, ErrUnknownCapability)
		}
	}
	for _, f := range features {
		i := slices.Index(r.features, f)
		if i < 0 {
			n.impossible = true
			continue
		}
		n.features |= 1 << i
	}
	return n, nil
}

// WithTokens is the same need for a request of so many tokens.
func (n Need) WithTokens(tokens int) Need { n.tokens = max(0, tokens); return n }

// Fits says whether a deployment, by its number in Config.Deployments, may be asked, and if not, why.
func (r *Router) Fits(i int, n Need) Reason {
	d := &r.list[i]
	if n.impossible && (d.listed || d.fallback) {
		return FeatureMissing
	}
	return d.fits(&n)
}

// Domain returns the health domain of a deployment for a need.
func (r *Router) Domain(i int, n Need) Domain { return r.domains[r.list[i].domain+n.capability] }

// Breaker returns the breaker of that domain.
func (r *Router) Breaker(i int, n Need) breaker.Breaker {
	return r.breakers[r.list[i].domain+n.capability]
}
