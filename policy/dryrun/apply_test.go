package dryrun

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// TestApplyKeepsWhatIsKnown: settings that change while a member cools down change neither that it is out nor when it is
// back; an engine that cannot take settings over starts anew, and forgets.
func TestApplyKeepsWhatIsKnown(t *testing.T) {
	settled := func(engine string, cooldown time.Duration) *schema.Copy {
		c := pool(engine, 3)
		for p, v := range map[schema.Path]schema.Value{
			"decision.window": schema.DurationOf(5 * time.Second), "decision.minSamples": schema.IntOf(10), "decision.errorRatio": schema.NumberOf(0.5),
			"cooldown.duration": schema.DurationOf(cooldown), "cooldown.exit": schema.TextOf("timer"), "retry.perTry": schema.DurationOf(time.Second),
		} {
			c.Set(p, v, schema.At(1, 2))
		}
		return c
	}
	const text = `
duration: 100s
traffic: {rps: 60}
events:
  - {at: 10s, for: 20s, fault: {members: ["10.0.0.a:80"], errors: 1}}
  - {at: 35s, apply: head}
`
	held(t, play(t, read(t, text+`
expect:
  - {id: out, by: 20s, member: "10.0.0.a:80", state: cooling}
  - {id: still-out, from: 34s, to: 50s, member: "10.0.0.a:80", state: cooling}
  - {id: nothing, from: 34s, to: 50s, member: "10.0.0.a:80", share: 0}
  - {id: others, from: 36s, to: 50s, member: "10.0.0.b:80", share: 50}
  - {id: back, at: 54s, within: 4s, member: "10.0.0.a:80", state: in}
`), Options{Copy: settled("pool", 40*time.Second), Head: settled("pool", 5*time.Minute)}))
	held(t, play(t, read(t, text+`
expect:
  - {id: out, by: 20s, member: "10.0.0.a:80", state: cooling}
  - {id: forgotten, at: 36s, member: "10.0.0.a:80", state: in}
`), Options{Copy: settled("three-state", 40*time.Second), Head: settled("three-state", 5*time.Minute)}))
}

// TestApplyTwice: head may be put in force again and again.
func TestApplyTwice(t *testing.T) {
	c := pool("pool", 2)
	r := play(t, read(t, `
duration: 60s
traffic: {rps: 40}
events:
  - {at: 1s, every: 1s, times: 50, apply: head}
  - {at: 10s, for: 5s, fault: {members: ["10.0.0.a:80"], hang: true}}
`), Options{Copy: c, Head: c})
	if r.Metrics.Requests != 2400 {
		t.Errorf("%+v", r.Metrics)
	}
}
