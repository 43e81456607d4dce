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

// marks are names that only Envoy's API has; one of them confirms what the first level suggests.
var marks = [][]byte{
	[]byte("load_assignment"), []byte("loadAssignment"), []byte("lb_endpoints"), []byte("lbEndpoints"),
	[]byte("eds_cluster_config"), []byte("edsClusterConfig"), []byte("type.googleapis.com/envoy."),
}

func detect(path string, text []byte) sources.Confidence {
	if !outline.Structured(path) || !marked(text) && !bytes.Contains(text, []byte("static_resources")) && !bytes.Contains(text, []byte("staticResources")) {
		return sources.Unlikely
	}
	o := outline.Of(text)
	switch {
	case o.Has("kind", "apiVersion", "pools"):
		return sources.Unlikely // Kubernetes objects that carry Envoy's API inside
	case o.Has("static_resources", "staticResources", "static_clusters", "staticClusters", "dynamic_active_clusters", "dynamicActiveClusters"):
		return sources.Certain
	case o.Value("@type", func(v string) bool { return strings.HasPrefix(v, "type.googleapis.com/envoy.") }):
		return sources.Certain
	case o.Has("clusters", "resources", "configs", "load_assignment", "loadAssignment", "endpoints"):
		return sources.Certain
	case o.Kind == outline.List && (o.Has("name", "@type") || len(o.Keys) > 0):
		return sources.Certain
	}
	return sources.Possible
}

func marked(text []byte) bool {
	for _, m := range marks {
		if bytes.Contains(text, m) {
			return true
		}
	}
	return false
}
