// Package apisix asks Apache APISIX for its upstreams: at the Admin API (http://host:9180, with the token as X-API-KEY),
// which shows what etcd holds, or at the Control API (http://host:9090/v1), which shows what a worker runs.
//
// Upstreams, and those that routes, services and stream routes hold inline, are read by the adapter that reads APISIX's
// files. A pool is called by its id there; where an upstream has a name too, the setting "name" holds it.
package apisix

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/poolproof/poolproof/schema"
	adapter "github.com/poolproof/poolproof/sources/gateway/apisix"
	"github.com/poolproof/poolproof/sources/live"
)

// Kind returns the reader of running APISIX gateways.
func Kind() live.Kind {
	return live.Kind{
		Name: "apisix", Format: "apisix", Addresses: []string{"http://127.0.0.1:9180", "http://127.0.0.1:9090/v1"},
		Shows: []schema.Item{schema.Members, schema.Probe, schema.Decision},
		Open:  open,
	}
}

func open(t *live.Target) (live.ReadFunc, error) {
	client, err := t.HTTP(t.Address, "/apisix/admin")
	if err != nil {
		return nil, err
	}
	client.TokenHeader = "X-API-KEY"
	lists := []string{"/upstreams", "/services", "/routes"}
	return func(ctx context.Context) ([]schema.Copy, error) {
		var all []json.RawMessage
		for _, list := range lists {
			text, err := client.JSON(ctx, list, nil)
			if err != nil {
				return nil, err
			}
			entries, err := parseList(text, list)
			if err != nil {
				return nil, err
			}
			all = append(all, entries...)
		}
		return build(all)
	}, nil
}

// parseList reads {list: [{key, value}], total}, or the bare list of the Control API.
func parseList(text []byte, list string) ([]json.RawMessage, error) {
	var answer struct {
		List  []json.RawMessage `json:"list"`
		Total *int              `json:"total"`
	}
	if strings.HasPrefix(string(text), "[") {
		if err := json.Unmarshal(text, &answer.List); err != nil {
			return nil, unknownForm(list, err)
		}
		return answer.List, nil
	}
	// Lua writes an empty list as an empty object.
	var empty struct {
		List  map[string]json.RawMessage `json:"list"`
		Total *int                       `json:"total"`
	}
	if err := json.Unmarshal(text, &empty); err == nil && empty.Total != nil && *empty.Total == 0 && len(empty.List) == 0 {
		return nil, nil
	}
	if strings.TrimSpace(string(text)) == "{}" {
		return nil, nil
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Total == nil {
		return nil, unknownForm(list, err)
	}
	if len(answer.List) != *answer.Total {
		return nil, live.Because(nil, "its answer to %s holds %d of %d entries", "%s 的应答只有 %d 条，共 %d 条", list, len(answer.List), *answer.Total)
	}
	return answer.List, nil
}

func unknownForm(list string, err error) error {
	return live.Because(err, "its answer to %s has a form that poolproof does not know", "%s 的应答格式不是 poolproof 所知的", list)
}

// build reads all entries as one document, so that names are told apart as in a file.
func build(all []json.RawMessage) ([]schema.Copy, error) {
	names := map[string]string{}
	for _, entry := range all {
		var e struct {
			Key   string `json:"key"`
			Value struct {
				Name string `json:"name"`
			} `json:"value"`
		}
		if err := json.Unmarshal(entry, &e); err != nil || e.Key == "" {
			return nil, unknownForm("a list", err)
		}
		kind, id, _ := strings.Cut(strings.TrimPrefix(e.Key, "/apisix/"), "/")
		if kind == "upstreams" && e.Value.Name != "" {
			names[id] = e.Value.Name
		}
	}
	text, err := json.Marshal(map[string]any{"list": all})
	if err != nil {
		return nil, err
	}
	copies := live.Parse(adapter.Adapter(), text, "apisix")
	for i := range copies {
		if name := names[copies[i].Pool]; name != "" && !copies[i].Owned {
			copies[i].Set("name", schema.TextOf(name), live.Somewhere())
		}
	}
	return copies, nil
}
