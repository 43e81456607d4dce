package profile

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Facts: argoproj/argo-rollouts, pkg/apis/rollouts/v1alpha1/types.go, pkg/apis/rollouts/validation/validation.go,
// utils/defaults/defaults.go, utils/replicaset/canary.go, docs/features/rollback.md.

// argoRollouts is Argo Rollouts, a controller of ramps: it has no members, weights or probes of its own.
func argoRollouts() Profile {
	return Profile{Name: "argo-rollouts", Complete: completeArgoRollouts}
}

func completeArgoRollouts(c *schema.Copy, _ Version) []schema.Effective {
	k := &completion{c: c}
	if !c.States(schema.Ramp) {
		return nil
	}
	k.fill("ramp.by", schema.TextOf("ratio"), schema.Text{En: "Argo Rollouts moves shares of the traffic", Zh: "Argo Rollouts 按流量比例放量"})
	rollback := schema.Text{En: "an aborted rollout goes to weight 0 at once, not one batch back", Zh: "中止后权重立即归零，而不是退回一个批次"}
	if k.yes("dynamicStableScale") {
		rollback = schema.Text{En: "an aborted rollout goes to weight 0, as fast as the stable pods come up (dynamicStableScale)", Zh: "中止后权重归零，速度取决于稳定版 Pod 的恢复（dynamicStableScale）"}
	}
	k.fill("ramp.rollback.to", schema.TextOf("zero"), rollback)
	k.fill("progressDeadlineSeconds", schema.DurationOf(600*time.Second), schema.Text{En: "default of Argo Rollouts: 600s; reported only, unless progressDeadlineAbort is true", Zh: "Argo Rollouts 默认：600s；除非 progressDeadlineAbort 为 true，否则只上报"})
	for i := range c.Fields {
		f := &c.Fields[i]
		if d := f.Value.Duration(); d%time.Second != 0 && strings.HasSuffix(string(f.Path), ".pause.duration") {
			k.change(f.Path, schema.DurationOf(d.Truncate(time.Second)), schema.Text{En: "Argo Rollouts counts whole seconds", Zh: "Argo Rollouts 只按整秒计"})
		}
	}
	k.podRatio()
	return k.out
}

// podRatio notes that without traffic routing a weight is a number of pods: n pods know only multiples of 100/n percent.
func (k *completion) podRatio() {
	replicas, ok := k.c.Get("replicas")
	if k.has("trafficRouting") || !ok || replicas.Value.Int() < 1 {
		return
	}
	n := replicas.Value.Int()
	for i := range k.c.Batches {
		if b := &k.c.Batches[i]; b.HasShare && b.Share*float64(n)/100 != float64(int64(b.Share*float64(n)/100)) {
			k.note("replicas", schema.Textf("without trafficRouting a share is a number of pods: %d pods make steps of about %d %%, other shares are rounded",
				"没有 trafficRouting 时比例由 Pod 数量实现：%d 个 Pod 的步长约为 %d %%，其他比例会被取整", n, 100/n))
			return
		}
	}
}
