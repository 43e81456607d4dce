package argorollouts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/gateway/internal/settings"
)

// reader reads one file. copy is the pool being filled, the last of out.Copies.
type reader struct {
	in   sources.Input
	out  *sources.Result
	bind bind.Binder
	copy *schema.Copy
}

// document reads the Rollouts of one document: itself, or the items of a Kubernetes List.
func (r *reader) document(n *data.Node, depth int) {
	if n == nil || n.Kind != data.Map || depth > 3 {
		return
	}
	kind, version := text(n.Get("kind")), text(n.Get("apiVersion"))
	switch {
	case kind == "Rollout" && strings.HasPrefix(version, "argoproj.io/"):
		r.rollout(n)
	case kind == "List":
		if items := n.Get("items"); items != nil {
			for _, item := range items.Items {
				r.document(item, depth+1)
			}
		}
	}
}

func (r *reader) rollout(n *data.Node) {
	s := r.in.Source
	profile := s.Profile
	if profile == "" {
		profile = "argo-rollouts"
	}
	r.out.Copies = append(r.out.Copies, schema.Copy{Side: s.Side, Format: "argo-rollouts", Profile: profile, Env: s.Env, Files: []string{r.in.Path}})
	r.copy = &r.out.Copies[len(r.out.Copies)-1]
	r.bind.Copy = r.copy
	r.name(n)
	r.words("namespace", n.Path("metadata", "namespace"))

	spec := n.Get("spec")
	r.count("replicas", spec.Get("replicas"))
	r.seconds("minReadySeconds", spec.Get("minReadySeconds"))
	r.seconds("progressDeadlineSeconds", spec.Get("progressDeadlineSeconds"))
	r.flag("progressDeadlineAbort", spec.Get("progressDeadlineAbort"))
	r.count("rollbackWindow.revisions", spec.Path("rollbackWindow", "revisions"))
	r.flag("paused", spec.Get("paused"))

	strategy := spec.Get("strategy")
	if strategy != nil && strategy.Kind != data.Map {
		r.wrongKind("strategy", strategy, "canary or blueGreen", "canary 或 blueGreen")
		return
	}
	canary, blueGreen := strategy.Pair("canary"), strategy.Pair("blueGreen")
	if canary != nil && blueGreen != nil && canary.Value.Kind != data.Null && blueGreen.Value.Kind != data.Null {
		later := canary.KeyAt
		if blueGreen.KeyAt.Start > later.Start {
			later = blueGreen.KeyAt
		}
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: later, Item: schema.Ramp, Field: "strategy",
			Text: schema.Textf("canary and blueGreen at once; Argo Rollouts refuses two strategies", "同时写了 canary 和 blueGreen；Argo Rollouts 不接受两种策略")})
	}
	if canary != nil {
		r.copy.Set("strategy", schema.TextOf("canary"), canary.KeyAt)
		r.canary(canary.Value)
	}
	if blueGreen != nil {
		r.copy.Set("strategy", schema.TextOf("blueGreen"), blueGreen.KeyAt)
		r.blueGreen(blueGreen.Value)
	}
}

func (r *reader) name(n *data.Node) {
	name := n.Path("metadata", "name")
	s, ok := bind.Of(name)
	if !ok || s.Text == "" {
		r.copy.Pool, r.copy.Owned = fmt.Sprintf("rollout:%d", len(r.out.Copies)), true
		r.copy.PoolAt = n.Place()
		r.copy.PoolAt.End = r.copy.PoolAt.Start
		return
	}
	r.copy.PoolAt = s.At
	// A chart names its Rollout by a template as a rule. It is one pool all the same, without a name that anybody could
	// pair it by.
	known := false
	if r.copy.Pool, known = bind.Expand(s.Text, r.in.Vars, r.bind.Syntax); !known {
		r.copy.Owned = true
		r.copy.Unresolve("metadata.name", s.Text, s.At)
	}
}

func (r *reader) canary(n *data.Node) {
	if n.Kind != data.Map {
		r.wrongKind("strategy.canary", n, "a mapping", "映射")
		return
	}
	var steps, routing *data.Node
	for i := range n.Pairs {
		p := &n.Pairs[i]
		switch p.Key {
		case "steps":
			steps = p.Value
		case "trafficRouting":
			routing = p.Value
		case "analysis":
			settings.Flatten(&r.bind, "analysis", p.Value)
		case "canaryService", "stableService", "maxSurge", "maxUnavailable":
			r.words(schema.Path(p.Key), p.Value)
		case "dynamicStableScale":
			r.flag("dynamicStableScale", p.Value)
		case "scaleDownDelaySeconds", "abortScaleDownDelaySeconds":
			r.seconds(schema.Path(p.Key), p.Value)
		case "minPodsPerReplicaSet":
			r.count("minPodsPerReplicaSet", p.Value)
		}
	}
	r.steps(steps, r.routing(routing))
}

// routing records who moves the traffic and returns the weight that means everything.
func (r *reader) routing(n *data.Node) (everything int64) {
	everything = 100
	if n == nil || n.Kind != data.Map {
		return everything
	}
	var routers []string
	var limit *data.Node
	for i := range n.Pairs {
		switch p := &n.Pairs[i]; p.Key {
		case "managedRoutes":
		case "maxTrafficWeight":
			limit = p.Value
		default:
			routers = append(routers, p.Key)
		}
	}
	if routers != nil {
		slices.Sort(routers)
		r.copy.Set("trafficRouting", schema.ListOf(routers...), n.Place())
	}
	max, ok := r.whole("trafficRouting.maxTrafficWeight", limit, 1, math.MaxInt32)
	if !ok {
		return everything
	}
	if !slices.Contains(routers, "nginx") && !slices.Contains(routers, "plugins") {
		r.refuse("trafficRouting.maxTrafficWeight", limit,
			schema.Textf("maxTrafficWeight without nginx or plugins; Argo Rollouts refuses it", "没有 nginx 或 plugins 却写了 maxTrafficWeight；Argo Rollouts 会拒绝"),
			schema.Textf("remove it and write weights from 0 to 100", "请删去，并使用 0 到 100 的权重"))
		return max
	}
	r.copy.Set("trafficRouting.maxTrafficWeight", schema.IntOf(max), limit.Place())
	return max
}

func (r *reader) blueGreen(n *data.Node) {
	for i := range n.Pairs {
		p := &n.Pairs[i]
		switch p.Key {
		case "activeService", "previewService":
			r.words(schema.Path(p.Key), p.Value)
		case "autoPromotionEnabled":
			r.flag("autoPromotionEnabled", p.Value)
		case "autoPromotionSeconds", "scaleDownDelaySeconds", "abortScaleDownDelaySeconds":
			r.seconds(schema.Path(p.Key), p.Value)
		case "previewReplicaCount":
			r.count("previewReplicaCount", p.Value)
		case "prePromotionAnalysis", "postPromotionAnalysis":
			settings.Flatten(&r.bind, schema.Path(p.Key), p.Value)
		}
	}
}
