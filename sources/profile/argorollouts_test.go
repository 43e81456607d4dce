package profile

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func TestArgoRollouts(t *testing.T) {
	if got := effective(t, "argo-rollouts-1.7", copyWith(map[schema.Path]schema.Value{"strategy": schema.TextOf("blueGreen")})); len(got) != 0 {
		t.Errorf("a Rollout without a ramp gets %v", got)
	}
	c := copyWith(map[schema.Path]schema.Value{"replicas": schema.IntOf(3), "steps[1].pause.duration": schema.DurationOf(1500 * time.Millisecond), "steps[3].pause.duration": seconds(5)})
	c.Touch(schema.Ramp, schema.At(1, 2))
	c.Batches = []schema.Batch{{HasShare: true, Share: 50}}
	got := effective(t, "argo-rollouts", c)
	expect(t, got, map[schema.Path]string{"ramp.by": "ratio", "ramp.rollback.to": "zero", "progressDeadlineSeconds": "10m", "steps[1].pause.duration": "1s", "steps[3].pause.duration": "-", "replicas": "3"})
	if !got["steps[1].pause.duration"].Clamped {
		t.Error("a fraction of a second is cut without saying so")
	}
	c.Set("replicas", schema.IntOf(4), schema.At(1, 2))
	expect(t, effective(t, "argo-rollouts", c), map[schema.Path]string{"replicas": "-"})
	c.Set("replicas", schema.IntOf(3), schema.At(1, 2))
	c.Set("trafficRouting", schema.ListOf("nginx"), schema.At(1, 2))
	expect(t, effective(t, "argo-rollouts", c), map[schema.Path]string{"replicas": "-"})
}
