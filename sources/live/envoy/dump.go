package envoy

import (
	"encoding/json"
	"strings"

	"github.com/poolproof/poolproof/sources/live"
)

// reduced is a dump without what is not looked at: bootstrap, listeners, secrets, and clusters that are still warming.
type reduced struct {
	text []byte
	// dynamic are the clusters that the control plane made; own those that write their members themselves.
	dynamic, own map[string]bool
	// endpoints are the names of the load assignments that the dump holds.
	endpoints map[string]bool
}

type wrapped struct {
	Cluster json.RawMessage `json:"cluster"`
}

func reduce(dump []byte) (*reduced, error) {
	var whole struct {
		Configs []json.RawMessage `json:"configs"`
	}
	if err := json.Unmarshal(dump, &whole); err != nil || whole.Configs == nil {
		return nil, live.Because(err, "its answer to /config_dump is no dump of Envoy", "/config_dump 的应答不是 Envoy 的配置转储")
	}
	r := &reduced{dynamic: map[string]bool{}, own: map[string]bool{}, endpoints: map[string]bool{}}
	var kept []json.RawMessage
	clusters := false
	for _, config := range whole.Configs {
		var head struct {
			Type string `json:"@type"`
		}
		if err := json.Unmarshal(config, &head); err != nil {
			return nil, broken(err)
		}
		switch head.Type[strings.LastIndexByte(head.Type, '.')+1:] {
		case "ClustersConfigDump":
			text, err := r.clusters(config)
			if err != nil {
				return nil, err
			}
			clusters, kept = true, append(kept, text)
		case "EndpointsConfigDump":
			if err := r.assignments(config); err != nil {
				return nil, err
			}
			kept = append(kept, config)
		case "RoutesConfigDump":
			kept = append(kept, config)
		}
	}
	if !clusters {
		return nil, live.Because(nil, "its dump holds no clusters section: may it be shown only in part?", "配置转储中没有集群部分：是否只显示了一部分？")
	}
	text, err := json.Marshal(map[string]any{"configs": kept})
	r.text = text
	return r, err
}

func broken(err error) error {
	return live.Because(err, "its answer to /config_dump has a form that poolproof does not know", "/config_dump 的应答格式不是 poolproof 所知的")
}

// clusters keeps the clusters in use, and notes what they are.
func (r *reduced) clusters(config json.RawMessage) (json.RawMessage, error) {
	var section struct {
		Type    string    `json:"@type"`
		Static  []wrapped `json:"static_clusters,omitempty"`
		Dynamic []wrapped `json:"dynamic_active_clusters,omitempty"`
	}
	if err := json.Unmarshal(config, &section); err != nil {
		return nil, broken(err)
	}
	for i, list := range [...][]wrapped{section.Static, section.Dynamic} {
		for _, w := range list {
			var c struct {
				Name string           `json:"name"`
				Load *json.RawMessage `json:"load_assignment"`
			}
			if err := json.Unmarshal(w.Cluster, &c); err != nil || c.Name == "" {
				return nil, broken(err)
			}
			r.dynamic[c.Name] = r.dynamic[c.Name] || i == 1
			r.own[c.Name] = c.Load != nil
		}
	}
	return json.Marshal(section)
}

func (r *reduced) assignments(config json.RawMessage) error {
	type entry struct {
		Endpoint struct {
			Name string `json:"cluster_name"`
		} `json:"endpoint_config"`
	}
	var section struct {
		Static  []entry `json:"static_endpoint_configs"`
		Dynamic []entry `json:"dynamic_endpoint_configs"`
	}
	if err := json.Unmarshal(config, &section); err != nil {
		return broken(err)
	}
	for _, e := range append(section.Static, section.Dynamic...) {
		r.endpoints[e.Endpoint.Name] = true
	}
	return nil
}
