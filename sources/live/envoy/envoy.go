// Package envoy asks running Envoy processes for their clusters, at the admin interface (http://host:9901):
// /config_dump?include_eds for what is configured, statically and by the control plane, and /clusters?format=json for what
// discovery made of members.
//
// A member's state is what the control plane says (EDS: DRAINING, UNHEALTHY), never what health checks or outlier
// detection found. Clusters that are still warming are not running. Clusters of the control plane are marked with the
// setting added_via_api: they are its own, and nobody's file need know them.
package envoy

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/poolproof/poolproof/schema"
	adapter "github.com/poolproof/poolproof/sources/gateway/envoy"
	"github.com/poolproof/poolproof/sources/live"
)

// Kind returns the reader of running Envoy processes.
func Kind() live.Kind {
	return live.Kind{
		Name: "envoy", Format: "envoy", Addresses: []string{"http://127.0.0.1:9901"},
		Shows: []schema.Item{schema.Members, schema.Probe, schema.Decision, schema.Cooldown, schema.Ramp},
		Open:  open,
	}
}

func open(t *live.Target) (live.ReadFunc, error) {
	client, err := t.HTTP(t.Address, "")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]schema.Copy, error) {
		info, err := client.JSON(ctx, "/server_info", nil)
		if err != nil {
			return nil, err
		}
		dump, err := client.JSON(ctx, "/config_dump", url.Values{"include_eds": {""}})
		if err != nil {
			return nil, err
		}
		clusters, err := client.JSON(ctx, "/clusters", url.Values{"format": {"json"}})
		if err != nil {
			return nil, err
		}
		return build(info, dump, clusters)
	}, nil
}

// build joins the three answers.
func build(info, dump, clusters []byte) ([]schema.Copy, error) {
	d, err := reduce(dump)
	if err != nil {
		return nil, err
	}
	running, err := parseClusters(clusters)
	if err != nil {
		return nil, err
	}
	copies := live.Parse(adapter.Adapter(), d.text, profile(info))
	for i := range copies {
		c := &copies[i]
		service := c.Pool
		if f, ok := c.Get("eds_cluster_config.service_name"); ok {
			service = f.Value.Text()
		}
		if d.dynamic[c.Pool] || running[c.Pool].AddedViaAPI {
			c.Set("added_via_api", schema.BoolOf(true), live.Somewhere())
		}
		if !d.own[c.Pool] {
			discovered(c, running[c.Pool], d.endpoints[service])
		}
		for i := range c.Members { // answers leave out what is the default
			if m := &c.Members[i]; !m.HasWeight {
				m.HasWeight, m.Weight = true, 1
			}
		}
	}
	return copies, nil
}

// profile names the profile of /server_info: "hash/1.33.0/Clean/RELEASE/BoringSSL" is envoy-1.33.
func profile(info []byte) string {
	var answer struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(info, &answer) // the version only sharpens defaults
	for part := range strings.SplitSeq(answer.Version, "/") {
		numbers := strings.SplitN(part, ".", 3)
		if len(numbers) == 3 && short(numbers[0]) && short(numbers[1]) {
			return "envoy-" + numbers[0] + "." + numbers[1]
		}
	}
	return "envoy"
}

func short(number string) bool {
	return number != "" && len(number) < 4 && strings.Trim(number, "0123456789") == ""
}
