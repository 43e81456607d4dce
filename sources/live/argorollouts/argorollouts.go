// Package argorollouts asks a Kubernetes API server for the Argo Rollouts that it holds. It only lists, which needs the
// verb "list" on rollouts of argoproj.io.
//
// The address is https://host:6443 for all namespaces, https://host:6443/namespaces/shop for one, or in-cluster and
// in-cluster:shop for the cluster that poolproof runs in, with the credentials that Kubernetes gives to every pod.
//
// Only the specification is read. Which step a rollout is at, how many replicas an autoscaler asks for and whatever else
// controllers write is theirs.
package argorollouts

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"strings"

	"github.com/poolproof/poolproof/schema"
	adapter "github.com/poolproof/poolproof/sources/gateway/argorollouts"
	"github.com/poolproof/poolproof/sources/live"
)

const (
	inCluster   = "in-cluster"
	credentials = "/var/run/secrets/kubernetes.io/serviceaccount/"
	group       = "/apis/argoproj.io/v1alpha1"
	// pageSize and maxPages bound a listing: two hundred thousand rollouts.
	pageSize = "500"
	maxPages = 400
)

// Kind returns the reader of Argo Rollouts.
func Kind() live.Kind {
	return live.Kind{
		Name: "argo-rollouts", Format: "argo-rollouts", Addresses: []string{"in-cluster", "https://host:6443/namespaces/shop"},
		Shows: []schema.Item{schema.Ramp}, Shared: true, Open: open,
	}
}

func open(t *live.Target) (live.ReadFunc, error) {
	address := t.Address
	if address == inCluster || strings.HasPrefix(address, inCluster+":") {
		host, ok := t.Env("KUBERNETES_SERVICE_HOST")
		port, ok2 := t.Env("KUBERNETES_SERVICE_PORT")
		if !ok || !ok2 {
			return nil, errors.New("this process runs in no cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set")
		}
		t.Credentials(credentials+"token", credentials+"ca.crt")
		_, namespace, _ := strings.Cut(address, ":")
		if address = "https://" + net.JoinHostPort(host, port); namespace != "" {
			address += "/namespaces/" + namespace
		}
	}
	client, err := t.HTTP(address, "")
	if err != nil {
		return nil, err
	}
	path, err := client.Under(group, "/namespaces/")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]schema.Copy, error) {
		var items []json.RawMessage
		query := url.Values{"limit": {pageSize}}
		for range maxPages {
			text, err := client.JSON(ctx, path+"/rollouts", query)
			if err != nil {
				return nil, err
			}
			page, more, err := parsePage(text)
			if err != nil {
				return nil, err
			}
			if items = append(items, page...); more == "" {
				return build(items)
			}
			query.Set("continue", more)
		}
		return nil, live.Because(nil, "its list of rollouts does not end", "其 Rollout 列表没有结尾")
	}, nil
}

// parsePage reads one page of a list, and the mark of the next.
func parsePage(text []byte) (items []json.RawMessage, more string, err error) {
	var list struct {
		Kind     string            `json:"kind"`
		Items    []json.RawMessage `json:"items"`
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &list); err != nil || list.Kind != "RolloutList" || list.Items == nil {
		return nil, "", live.Because(err, "its answer is no list of rollouts", "应答不是 Rollout 列表")
	}
	return list.Items, list.Metadata.Continue, nil
}

// build reads the items as one list. The API server may leave kind and version to the list.
func build(items []json.RawMessage) ([]schema.Copy, error) {
	whole := make([]map[string]json.RawMessage, 0, len(items))
	for _, item := range items {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(item, &o); err != nil || o == nil {
			return nil, live.Because(err, "its answer is no list of rollouts", "应答不是 Rollout 列表")
		}
		delete(o, "status")
		o["kind"], o["apiVersion"] = json.RawMessage(`"Rollout"`), json.RawMessage(`"argoproj.io/v1alpha1"`)
		whole = append(whole, o)
	}
	text, err := json.Marshal(map[string]any{"kind": "List", "items": whole})
	if err != nil {
		return nil, err
	}
	return live.Parse(adapter.Adapter(), text, "argo-rollouts"), nil
}
