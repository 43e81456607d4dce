// Package argorollouts reads the ramps of Argo Rollouts: the documents of kind Rollout in Kubernetes files, among whatever
// else stands there.
//
// A Rollout is one pool that states a ramp and no members. Each setWeight of a canary is a batch; the pauses that follow
// it add up to its dwell, and one without a duration makes the batch wait for a person. Where the last weight is not
// everything, Argo goes to 100 by itself after the last step: an implied batch. Weights are shares of
// trafficRouting.maxTrafficWeight.
//
// Everything that the steps write is also recorded as settings: steps (their number), steps[0].setWeight,
// steps[1].pause.duration, steps[1].pause = manual for a pause without a duration, steps[2].experiment.duration. A pause
// before the first setWeight holds the new version back at weight 0; it belongs to no batch and is such a setting only.
// Blue-green Rollouts switch at once: they have settings and no ramp.
package argorollouts

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/outline"
)

// Adapter returns the reader of Argo Rollouts.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "argo-rollouts",
		Sides:   []schema.Side{schema.Gateway, schema.App},
		Version: 1,
		Profile: "argo-rollouts",
		Detect:  detect,
		Read:    read,
	}
}

func read(in sources.Input) sources.Result {
	var out sources.Result
	file, _ := outline.Decode(in.Path, in.Data)
	out.Problems = file.Problems
	r := reader{in: in, out: &out, bind: bind.Binder{Vars: in.Vars, Syntax: bind.Common}}
	for i := range file.Documents {
		r.document(file.Documents[i].Root, 0)
	}
	return out
}

func detect(path string, text []byte) sources.Confidence {
	if !outline.Structured(path) || !bytes.Contains(text, []byte("argoproj.io/")) || !bytes.Contains(text, []byte("Rollout")) {
		return sources.Unlikely
	}
	o := outline.Of(text)
	kind := func(want string) bool { return o.Value("kind", func(v string) bool { return v == want }) }
	argo := o.Value("apiVersion", func(v string) bool { return strings.HasPrefix(v, "argoproj.io/") })
	switch {
	case kind("Rollout") && argo:
		return sources.Certain
	case kind("List") && (bytes.Contains(text, []byte("kind: Rollout\n")) || bytes.Contains(text, []byte(`"kind": "Rollout"`))):
		return sources.Likely
	}
	return sources.Unlikely
}
