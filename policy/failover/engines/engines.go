// Package engines builds the failover engine that a copy names. Adding an engine is one line here.
package engines

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/apisix"
	"github.com/poolproof/poolproof/policy/failover/controller"
	"github.com/poolproof/poolproof/policy/failover/envoy"
	"github.com/poolproof/poolproof/policy/failover/haproxy"
	"github.com/poolproof/poolproof/policy/failover/nginx"
	"github.com/poolproof/poolproof/policy/failover/permember"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// maker builds an engine of one kind.
type maker struct {
	name string
	make func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error)
}

// makers is a table that nothing writes to.
var makers = [...]maker{
	{"haproxy", func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(haproxy.New(c, v.Major, v.Minor, o))
	}},
	{"nginx", func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(nginx.New(c, v.Major, v.Minor, o))
	}},
	{"apisix", func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(apisix.New(c, v, o))
	}},
	{"envoy", func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(envoy.New(c, v, o))
	}},
	{"pool", func(c *schema.Copy, _ profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(controller.New(c, o))
	}},
	{permember.ThreeState, perMember(permember.ThreeState)},
	{permember.Adaptive, perMember(permember.Adaptive)},
	{permember.Blacklist, perMember(permember.Blacklist)},
	{permember.Resilience4j, perMember(permember.Resilience4j)},
}

// perMember makes engines with a breaker of that kind for each member.
func perMember(kind string) func(*schema.Copy, profile.Version, failover.Options) (failover.Engine, error) {
	return func(c *schema.Copy, v profile.Version, o failover.Options) (failover.Engine, error) {
		return wrap(permember.New(kind, c, v, o))
	}
}

// wrap keeps a nil pointer from becoming an engine that is not nil.
func wrap[E failover.Engine](e E, err error) (failover.Engine, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Names lists the engines that are built.
func Names() []string {
	names := make([]string, len(makers))
	for i := range makers {
		names[i] = makers[i].name
	}
	return names
}

// Of returns the engine that a copy names, by "engine:" in a native file, else by its profile, and its version.
func Of(c *schema.Copy) (name string, v profile.Version) {
	text := c.Engine
	if text == "" {
		text = c.Profile
	}
	for i := strings.LastIndexByte(text, '-'); i > 0; i = -1 {
		if v, ok := profile.ParseVersion(text[i+1:]); ok {
			return text[:i], v
		}
	}
	return text, profile.Version{}
}

// New builds the engine that a copy names. The error wraps failover.ErrNotBuilt if there is none of that name, and
// failover.ErrNoMembers if no member of the copy is known.
func New(c *schema.Copy, o failover.Options) (failover.Engine, error) {
	name, v := Of(c)
	for i := range makers {
		if makers[i].name == name {
			return makers[i].make(c, v, o)
		}
	}
	if name == "" {
		return nil, fmt.Errorf("pool %q names no engine and no profile: %w", c.Pool, failover.ErrNotBuilt)
	}
	return nil, fmt.Errorf("pool %q: engine %q: %w", c.Pool, name, failover.ErrNotBuilt)
}
