package manifest

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// live reads one running gateway; not ok without a kind or an address, which has been reported. Whether such a kind
// exists and what its addresses look like is known to the readers of running gateways alone.
func (l *loader) live(n *data.Node) (schema.LiveGateway, bool) {
	g := schema.LiveGateway{
		Gateway:   l.text(n.Get("gateway")),
		Address:   l.text(n.Get("address")),
		Pools:     l.texts(n.Get("pools")),
		Every:     l.duration(n.Get("every")),
		TokenFile: l.text(n.Get("tokenFile")),
		CAFile:    l.text(n.Get("caFile")),
		At:        n.Place(),
	}
	return g, g.Gateway != "" && g.Address != ""
}
