package envoy

import (
	"encoding/json"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// status is one cluster of /clusters.
type status struct {
	Name        string `json:"name"`
	AddedViaAPI bool   `json:"added_via_api"`
	Hosts       []host `json:"host_statuses"`
}

type host struct {
	Address struct {
		Socket *struct {
			Address string `json:"address"`
			Port    int    `json:"port_value"`
		} `json:"socket_address"`
		Pipe *struct {
			Path string `json:"path"`
		} `json:"pipe"`
	} `json:"address"`
	Health struct {
		EDS string `json:"eds_health_status"`
	} `json:"health_status"`
	Weight   int64 `json:"weight"`
	Priority int64 `json:"priority"`
}

func parseClusters(text []byte) (map[string]status, error) {
	var answer struct {
		Clusters []status `json:"cluster_statuses"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, live.Because(err, "its answer to /clusters has a form that poolproof does not know", "/clusters 的应答格式不是 poolproof 所知的")
	}
	out := make(map[string]status, len(answer.Clusters))
	for _, c := range answer.Clusters {
		out[c.Name] = c
	}
	return out, nil
}

// member returns a host as a member; ok is false for addresses that no file can name.
func (h *host) member() (m schema.Member, ok bool) {
	m = schema.Member{At: live.Somewhere()}
	switch {
	case h.Address.Pipe != nil:
		m.Socket = h.Address.Pipe.Path
		return m, m.Socket != ""
	case h.Address.Socket != nil && h.Address.Socket.Port > 0 && h.Address.Socket.Port < 1<<16:
		m.Port = uint16(h.Address.Socket.Port)
		m.Host, ok = schema.NormalHost(h.Address.Socket.Address)
	}
	return m, ok
}

// state is what the control plane says of a host. Older versions say HEALTHY where it says nothing.
func (h *host) state() schema.State {
	switch h.Health.EDS {
	case "DRAINING":
		return schema.Drain
	case "UNHEALTHY", "TIMEOUT":
		return schema.Disabled
	}
	return schema.Active
}

// discovered completes a cluster whose members come from discovery. What a dump says of their health includes health
// checks, so the state is taken from the running list; where the dump holds no endpoints, so are the members.
func discovered(c *schema.Copy, running status, dumped bool) {
	hosts := make(map[string]*host, len(running.Hosts))
	for i := range running.Hosts {
		h := &running.Hosts[i]
		m, ok := h.member()
		if !ok {
			continue
		}
		hosts[m.ID()] = h
		if dumped {
			continue
		}
		if h.Weight > 0 {
			m.HasWeight, m.Weight = true, h.Weight
		}
		if h.Priority > 0 {
			m.HasPriority, m.Priority = true, h.Priority
		}
		c.Members = append(c.Members, m)
	}
	if !dumped && len(running.Hosts) > 0 {
		c.Complete = len(c.Members) == len(running.Hosts)
		c.Touch(schema.Members, live.Somewhere())
	}
	for i := range c.Members {
		m := &c.Members[i]
		m.State = schema.StateUnsaid
		if h := hosts[m.ID()]; h != nil {
			m.State = h.state()
		}
	}
}
