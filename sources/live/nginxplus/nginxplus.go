// Package nginxplus asks NGINX Plus for its upstreams at its API (http://host/api/9): those of http and stream that have
// a zone; others are not shown.
//
// A peer is "disabled" where configuration or the API took it down, "drain" where it drains. A peer that is unavail,
// checking or unhealthy is active: that is health. A peer that the file writes as a host name is called by that name,
// however many addresses it has.
package nginxplus

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// Kind returns the reader of running NGINX Plus gateways.
func Kind() live.Kind {
	return live.Kind{
		Name: "nginx-plus", Format: "nginx", Addresses: []string{"http://127.0.0.1:8080/api/9"},
		Shows: []schema.Item{schema.Members}, Open: open,
	}
}

func open(t *live.Target) (live.ReadFunc, error) {
	client, err := t.HTTP(t.Address, "/api/9")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]schema.Copy, error) {
		roots, err := endpoints(ctx, client, "/")
		if err != nil {
			return nil, err
		}
		about, err := client.JSON(ctx, "/nginx", nil)
		if err != nil {
			return nil, err
		}
		var copies []schema.Copy
		for _, context := range [...]string{"http", "stream"} {
			if !slices.Contains(roots, context) {
				continue // not configured
			}
			below, err := endpoints(ctx, client, "/"+context+"/")
			if err != nil {
				return nil, err
			}
			if !slices.Contains(below, "upstreams") {
				continue
			}
			text, err := client.JSON(ctx, "/"+context+"/upstreams", nil)
			if err != nil {
				return nil, err
			}
			found, err := parse(text, context, profile(about))
			if err != nil {
				return nil, err
			}
			copies = append(copies, found...)
		}
		return copies, nil
	}, nil
}

// endpoints lists what the API offers below a path, so that what is absent is told from what fails.
func endpoints(ctx context.Context, client *live.Client, path string) ([]string, error) {
	text, err := client.JSON(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, unknownForm(path, err)
	}
	return names, nil
}

func unknownForm(path string, err error) error {
	return live.Because(err, "its answer to %s has a form that poolproof does not know", "%s 的应答格式不是 poolproof 所知的", path)
}

// profile names the profile of a build: "nginx-plus-r31-p1" is nginx-plus-31.
func profile(about []byte) string {
	var answer struct {
		Build string `json:"build"`
	}
	_ = json.Unmarshal(about, &answer) // the version only sharpens defaults
	release := strings.TrimPrefix(answer.Build, "nginx-plus-r")
	digits := release[:len(release)-len(strings.TrimLeft(release, "0123456789"))]
	if release == answer.Build || digits == "" || len(digits) > 3 {
		return "nginx-plus"
	}
	return "nginx-plus-" + digits
}

type peer struct {
	Server string `json:"server"`
	Name   string `json:"name"`
	Backup bool   `json:"backup"`
	Weight *int64 `json:"weight"`
	State  string `json:"state"`
}

// parse reads the upstreams of http or stream.
func parse(text []byte, context, profile string) ([]schema.Copy, error) {
	var answer map[string]struct {
		Peers []peer `json:"peers"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer == nil {
		return nil, unknownForm("/"+context+"/upstreams", err)
	}
	names := make([]string, 0, len(answer))
	for name := range answer {
		names = append(names, name)
	}
	sort.Strings(names)
	copies := make([]schema.Copy, 0, len(names))
	for _, name := range names {
		if answer[name].Peers == nil {
			return nil, unknownForm("/"+context+"/upstreams", nil)
		}
		at := live.Somewhere()
		c := schema.Copy{Pool: name, PoolAt: at, Profile: profile, Complete: true}
		c.Touch(schema.Members, at)
		if context == "stream" {
			c.Set("context", schema.TextOf("stream"), at)
		}
		for i := range answer[name].Peers {
			m, ok := answer[name].Peers[i].member()
			if !ok {
				return nil, unknownForm("/"+context+"/upstreams", nil)
			}
			c.Members = append(c.Members, m)
		}
		copies = append(copies, c)
	}
	return copies, nil
}

// member returns a peer as a member, called by what the configuration calls it.
func (p *peer) member() (schema.Member, bool) {
	m := schema.Member{At: live.Somewhere(), Backup: schema.TriOf(p.Backup), State: schema.Active}
	if p.Weight != nil {
		m.HasWeight, m.Weight = true, *p.Weight
	}
	switch p.State {
	case "down":
		m.State = schema.Disabled
	case "draining":
		m.State = schema.Drain
	}
	address := p.Name
	if address == "" {
		address = p.Server
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		m.Socket = path
		return m, path != ""
	}
	e, ok := schema.SplitEndpoint(address)
	if !ok || e.Scheme != "" {
		return m, false
	}
	if m.Host, m.Port = e.Host, uint16(e.Port); e.Port == 0 {
		m.Port, m.PortImplied = 80, true
		if real, ok := schema.SplitEndpoint(p.Server); ok && real.Port != 0 {
			m.Port = uint16(real.Port)
		}
	}
	return m, true
}
