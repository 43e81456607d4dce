package apisix

import (
	"strings"

	"github.com/poolproof/poolproof/sources/data"
)

// admin reads what the Admin API answers: {key, value}, {list: [...]}, {node: {...}} of old versions, or a bare object.
func (r *reader) admin(n *data.Node, depth int) {
	if n == nil || n.Kind != data.Map || depth > 4 {
		return
	}
	if key, value := n.Get("key"), n.Get("value"); key != nil && value != nil && value.Kind == data.Map {
		parts := strings.Split(strings.Trim(key.Text, "/"), "/")
		if len(parts) >= 2 {
			if kind, ok := resourceOf(parts[len(parts)-2]); ok {
				r.object(kind, value, identity{parts[len(parts)-1], key.Place()})
				return
			}
		}
	}
	for _, key := range [...]string{"list", "nodes"} {
		if list := n.Get(key); list != nil && list.Kind == data.List && n.Get("type") == nil {
			for _, item := range list.Items {
				r.admin(item, depth+1)
			}
			return
		}
	}
	if node := n.Get("node"); node != nil {
		r.admin(node, depth+1)
		return
	}
	switch {
	case n.Get("uri") != nil || n.Get("uris") != nil:
		r.object(routes, n, identity{})
	case n.Get("nodes") != nil || n.Get("service_name") != nil:
		r.object(upstreams, n, identity{})
	case n.Get("upstream") != nil:
		r.object(services, n, identity{})
	}
}
