// Package envoy reads Envoy's clusters: from bootstrap files, bare lists of clusters, xDS resources and discovery
// responses, and the admin interface's config dumps, as YAML or JSON, with keys in snake_case or camelCase.
//
// One cluster is one pool. Active checks are its probe (several are refused by Envoy; the first counts), outlier
// detection gives decision and cooldown, slow start the ramp, and the panic threshold what happens when all are out.
// Settings outside the model keep Envoy's own names in snake_case: lb_policy, connect_timeout,
// outlier_detection.max_ejection_percent, circuit_breakers.max_retries (priority DEFAULT; others as
// circuit_breakers.HIGH.max_retries). Retry policies of routes that point at a cluster are its retry item where they
// agree, and settings (retry_policy[0].num_retries) where they do not.
package envoy

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/outline"
)

// Adapter returns the reader of Envoy configurations.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "envoy",
		Sides:   []schema.Side{schema.Gateway},
		Version: 1,
		Profile: "envoy",
		Detect:  detect,
		Read:    read,
	}
}

func read(in sources.Input) sources.Result {
	var out sources.Result
	file, _ := outline.Decode(in.Path, in.Data)
	out.Problems = file.Problems
	r := newReader(in, &out)
	for i := range file.Documents {
		r.visit(file.Documents[i].Root, anything, 0)
	}
	r.finish()
	return out
}

func newReader(in sources.Input, out *sources.Result) *reader {
	return &reader{in: in, out: out, files: []string{in.Path}, bind: bind.Binder{Vars: in.Vars, Syntax: bind.Common}}
}

// detect looks for the shapes that visit knows, on the first level. Kubernetes objects and others that carry Envoy's API
// inside are no Envoy files.
func detect(path string, text []byte) sources.Confidence {
	if !outline.Structured(path) || !contains(text, "static_", "staticR", "staticC", "oad_assignment", "oadAssignment", "eds_cluster", "edsCluster", "endpoints", "envoy.") {
		return sources.Unlikely
	}
	o := outline.Of(text)
	switch {
	case o.Has("kind", "apiVersion", "pools"):
		return sources.Unlikely
	case o.Has("static_resources", "staticResources", "static_clusters", "staticClusters", "dynamic_active_clusters", "dynamicActiveClusters"):
		return sources.Certain
	case o.Value("@type", func(v string) bool { return strings.HasPrefix(v, "type.googleapis.com/envoy.") }):
		return sources.Certain
	case o.Has("load_assignment", "loadAssignment", "eds_cluster_config", "edsClusterConfig"): // a cluster, or a list of them
		return sources.Certain
	case o.Has("cluster_name", "clusterName") && o.Has("endpoints"):
		return sources.Certain
	case o.Has("clusters") && contains(text, "load_assignment", "loadAssignment", "eds_cluster_config", "edsClusterConfig"):
		return sources.Certain
	case o.Has("resources") && contains(text, "envoy.config.cluster.", "envoy.config.endpoint.", "envoy.config.listener.", "envoy.config.route."):
		return sources.Certain
	case o.Has("configs") && contains(text, "type.googleapis.com/envoy.admin."):
		return sources.Certain
	}
	return sources.Unlikely
}

func contains(text []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}
