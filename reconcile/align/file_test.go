package align_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// TestEnvironments aligns a copy that belongs to two environments: once where their truths are alike, and not at all where
// they differ.
func TestEnvironments(t *testing.T) {
	text := []byte("pools:\n  orders: {probe: {interval: 5s, timeout: 3s, fall: 2}}\n")
	const prod = "pools: {orders: {probe: {interval: 2s, timeout: 1s, fall: 2}}}"
	const stage = "pools: {orders: {probe: {interval: 2s, timeout: 2s, fall: 4}}}"
	one, two := newBench(t, []byte(prod), nil, "poolproof", "a.yaml"), newBench(t, []byte(stage), nil, "poolproof", "a.yaml")
	first := one.tasks(text)[0]
	second := two.tasks(text)[0]
	first.Env, second.Env, second.Copy = "prod", "stage", first.Copy
	edits, left := align.File(text, []align.Task{first, second}, one.read)
	if got, want := string(apply(t, text, edits)), "pools:\n  orders: {probe: {interval: 2s, timeout: 3s, fall: 2}}\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// timeout is left in both environments, fall in the one that differs.
	if got := notes(nil, left); len(left) != 3 || strings.Count(got, "probe.timeout") != 2 || strings.Count(got, "probe.fall") != 1 {
		t.Errorf("%s", got)
	}
}

// TestMergedFile leaves what stands in another file, and names it.
func TestMergedFile(t *testing.T) {
	b := newBench(t, []byte("pools: {orders: {cooldown: {duration: 90s}, probe: {interval: 2s}}}"), nil, "spring", "application.yml")
	b.source.Profiles = []string{"prod"}
	b.sibling = func(base string) ([]byte, error) {
		if base == "application-prod.yml" {
			return []byte("resilience4j.circuitbreaker.instances.orders.waitDurationInOpenState: 30s\n"), nil
		}
		return nil, fmt.Errorf("%s: not here", base)
	}
	text := []byte("resilience4j.circuitbreaker.instances.orders:\n  failureRateThreshold: 50\n  waitDurationInOpenState: 10s\n")
	edits, left := align.File(text, b.tasks(text), b.read)
	if len(edits) > 0 || len(left) != 1 || !strings.Contains(left[0].Why.En, "application-prod.yml") {
		t.Errorf("%d edits, %s", len(edits), notes(nil, left))
	}
}

// TestMoved leaves everything where the file says something else than what was compared.
func TestMoved(t *testing.T) {
	b := newBench(t, []byte("pools: {orders: {probe: {interval: 2s}}}"), nil, "poolproof", "a.yaml")
	tasks := b.tasks([]byte("pools: {orders: {probe: {interval: 5s}}}"))
	for _, now := range []string{"pools: {orders: {probe: {interval: 7s}}}", "# new\npools: {orders: {probe: {interval: 5s}}}", "pools: {}", "", "\xFF\xFEp\x00"} {
		edits, left := align.File([]byte(now), tasks, b.read)
		if len(edits) > 0 || len(left) != 1 {
			t.Errorf("%q: %d edits, %d left", now, len(edits), len(left))
		}
	}
}

// TestSilent makes no edit where nothing differs.
func TestSilent(t *testing.T) {
	for _, text := range []string{
		"pools:\n  orders:\n    members: [{address: 10.0.0.1, port: 80, weight: 20}, {address: 10.0.0.2, port: 80, weight: 10}]\n",
		"pools:\n  orders:\n    probe: {interval: 2000ms}\n",
		"pools:\n  orders:\n    probe: {timeout: 1s}\n", // the truth does not say
		"pools:\n  other:\n    probe: {interval: 9s}\n",
	} {
		b := newBench(t, []byte("pools: {orders: {members: [{address: 10.0.0.1, port: 80, weight: 2}, {address: 10.0.0.2, port: 80, weight: 1}], probe: {interval: 2s}}}"), nil, "poolproof", "a.yaml")
		reads := 0
		edits, left := align.File([]byte(text), b.tasks([]byte(text)), func(x []byte) sources.Result { reads++; return b.read(x) })
		if len(edits)+len(left) > 0 || reads > 1 {
			t.Errorf("%s: %d edits, %d left, %d reads", text, len(edits), len(left), reads)
		}
	}
}

// TestInherited bounds what is tried where most changes cannot be made: five hundred breakers that share one setting.
func TestInherited(t *testing.T) {
	var text, truth strings.Builder
	text.WriteString("resilience4j.circuitbreaker.configs.default.waitDurationInOpenState=30s\n")
	truth.WriteString("pools:\n")
	for i := range 500 {
		fmt.Fprintf(&text, "resilience4j.circuitbreaker.instances.p%d.baseConfig=default\n", i)
		want := "30s"
		if i%2 == 0 {
			want = "60s"
		}
		fmt.Fprintf(&truth, "  p%d: {cooldown: {duration: %s}}\n", i, want)
	}
	text.WriteString("resilience4j.circuitbreaker.instances.p500.waitDurationInOpenState=30s\n")
	truth.WriteString("  p500: {cooldown: {duration: 60s}}\n")
	b := newBench(t, []byte(truth.String()), nil, "spring", "application.properties")
	reads := 0
	edits, left := align.File([]byte(text.String()), b.tasks([]byte(text.String())), func(x []byte) sources.Result { reads++; return b.read(x) })
	if len(edits) != 1 || len(left) != 250 || reads > 100 {
		t.Errorf("%d edits, %d left, %d reads", len(edits), len(left), reads)
	}
}

// TestCannotCompareWithoutTruth leaves a difference that has no truth to copy from.
func TestCannotCompareWithoutTruth(t *testing.T) {
	b := newBench(t, []byte("pools: {orders: {probe: {interval: 2s}}}"), nil, "poolproof", "a.yaml")
	text := []byte("pools: {orders: {probe: {interval: 5s}}}")
	tasks := b.tasks(text)
	tasks[0].Compare = func(c *schema.Copy) []reconcile.Divergence {
		return []reconcile.Divergence{{Kind: reconcile.Differs, Item: schema.Probe, Copy: c, At: c.ItemAt[schema.Probe]}}
	}
	if edits, left := align.File(text, tasks, b.read); len(edits) > 0 || len(left) != 1 || left[0].Why.En == "" {
		t.Errorf("%d edits, %d left", len(edits), len(left))
	}
}

// TestManyPoolsMemory bounds what a file with many pools takes: not its size for each of them.
func TestManyPoolsMemory(t *testing.T) {
	var text, truth strings.Builder
	text.WriteString("pools:\n")
	truth.WriteString("pools:\n")
	const pools = 1000
	for i := range pools {
		fmt.Fprintf(&text, "  p%d: {cooldown: {duration: 30s}} # %s\n", i, strings.Repeat("x", 200))
		fmt.Fprintf(&truth, "  p%d: {cooldown: {duration: 60s}}\n", i)
	}
	b := newBench(t, []byte(truth.String()), nil, "poolproof", "a.yaml")
	raw := []byte(text.String())
	tasks := b.tasks(raw)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	edits, left := align.File(raw, tasks, b.read)
	runtime.ReadMemStats(&after)
	if len(edits) != pools || len(left) > 0 {
		t.Errorf("%d edits, %d left", len(edits), len(left))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(raw))*pools/2 {
		t.Errorf("%d MB for a file of %d KB", took>>20, len(raw)>>10)
	}
}
