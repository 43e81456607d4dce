// Package apisix reads Apache APISIX upstreams: from stand-alone files (apisix.yaml, apisix.json), Admin API objects and
// lists, and ADC files; on their own, inline in routes, services and stream routes, inside the traffic-split plugin, and
// as instances of ai-proxy-multi.
//
// One upstream is one pool, called by its id, else its name. An inline one has neither as a rule and is called after its
// owner: the owner's id, else name, else "route:/hello". Active checks are the probe, passive ones the decision.
// Settings outside the model keep APISIX's own names: type, hash_on, timeout.connect, checks.active.concurrency.
// probe.badStatuses are the statuses that count as failures; any other status outside probe.expect.statuses is ignored.
//
// A YAML file that APISIX itself would load (apisix.yaml) must end with the line #END, or the whole file is ignored:
// without it, schema/invalid. Other YAML files of that shape may be fragments that are put together later, so there it
// is a warning; ADC files and JSON have no such mark.
package apisix

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/outline"
)

// Adapter returns the reader of APISIX configurations.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "apisix",
		Sides:   []schema.Side{schema.Gateway},
		Version: 1,
		Profile: "apisix",
		Detect:  detect,
		Read:    read,
	}
}

func read(in sources.Input) sources.Result {
	var out sources.Result
	file, json := outline.Decode(in.Path, in.Data)
	out.Problems = file.Problems
	r := reader{in: in, out: &out, names: map[string]bool{}, bind: bind.Binder{Vars: in.Vars, Syntax: bind.Braces | bind.DoubleDollar}}
	for i := range file.Documents {
		r.document(file.Documents[i].Root)
	}
	r.placePlugins()
	if !json && r.standalone {
		endMark(&out, in)
	}
	return out
}

func detect(path string, text []byte) sources.Confidence {
	if !outline.Structured(path) || !bytes.Contains(text, []byte("nodes")) && !bytes.Contains(text, []byte("discovery_type")) && !bytes.Contains(text, []byte("ai-proxy-multi")) {
		return sources.Unlikely
	}
	o := outline.Of(text)
	if o.Kind != outline.Map || o.Has("kind", "apiVersion", "pools", "_format_version", "static_resources") {
		return sources.Unlikely
	}
	lists := o.Has("routes", "upstreams", "services", "stream_routes")
	switch {
	case lists && hasEndMark(text):
		return sources.Certain
	case o.Value("key", func(v string) bool { return strings.HasPrefix(v, "/apisix/") }), bytes.Contains(text, []byte(`"/apisix/`)):
		return sources.Certain
	case o.Has("upstreams_conf_version", "routes_conf_version", "services_conf_version"):
		return sources.Certain
	case lists && typical(text):
		return sources.Certain
	case o.Has("nodes") && o.Value("type", balancer):
		return sources.Certain
	case o.Has("upstream", "plugins") && o.Has("uri", "uris") && typical(text):
		return sources.Certain
	case lists && (bytes.Contains(text, []byte("upstream:")) || bytes.Contains(text, []byte(`"upstream"`))):
		return sources.Likely
	}
	return sources.Possible
}

// balancer reports whether a word is one of APISIX's balancing types; the last three are rarely anything else.
func balancer(word string) bool {
	return word == "roundrobin" || word == "chash" || word == "least_conn" || word == "ewma"
}

// typical reports whether the text holds words that belong to APISIX's upstreams.
func typical(text []byte) bool {
	for _, word := range [...]string{"roundrobin", "chash", "least_conn", "ewma", "discovery_type", "ai-proxy-multi", "traffic-split"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// hasEndMark reports whether APISIX finds the end mark: it looks for #END and white space in the last ten bytes.
func hasEndMark(text []byte) bool {
	tail := text[max(0, len(text)-10):]
	return bytes.HasSuffix(bytes.TrimRight(tail, " \t\r\n"), []byte("#END"))
}
