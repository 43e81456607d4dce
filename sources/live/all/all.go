// Package all lists the readers of running gateways. Adding a kind of gateway is one line here.
package all

import (
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/apisix"
	"github.com/poolproof/poolproof/sources/live/argorollouts"
	"github.com/poolproof/poolproof/sources/live/envoy"
	"github.com/poolproof/poolproof/sources/live/haproxy"
	"github.com/poolproof/poolproof/sources/live/nginxplus"
)

// Kinds returns the kinds of gateways that can be asked.
func Kinds() []live.Kind {
	return []live.Kind{
		haproxy.Kind(),
		envoy.Kind(),
		apisix.Kind(),
		nginxplus.Kind(),
		argorollouts.Kind(),
	}
}
