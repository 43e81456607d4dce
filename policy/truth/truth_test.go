package truth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

var now = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// group makes a pool from copies in short: "side file" and what it states: members, discovered, cooldown, probe,
// off (a probe that never runs), executor=NAME, ramp.
func group(t *testing.T, entry *schema.PoolEntry, copies ...string) *reconcile.Group {
	t.Helper()
	g := &reconcile.Group{Pool: "orders", Entry: entry}
	for _, text := range copies {
		w := strings.Fields(text)
		c := &schema.Copy{Side: schema.Side(w[0]), Files: []string{w[1]}, Complete: true}
		for _, s := range w[2:] {
			name, value, _ := strings.Cut(s, "=")
			switch name {
			case "members":
				c.Touch(schema.Members, schema.At(1, 2))
			case "discovered":
				c.Touch(schema.Members, schema.At(1, 2))
				c.Complete = false
			case "cooldown":
				c.Set("cooldown.duration", schema.DurationOf(time.Minute), schema.At(1, 2))
			case "probe":
				c.Set("probe.interval", schema.DurationOf(time.Second), schema.At(1, 2))
			case "off":
				c.Set("probe.off", schema.TextOf("no check"), schema.At(1, 2))
			case "executor":
				c.Set("probe.executor", schema.TextOf(value), schema.At(1, 2))
			case "ramp":
				c.Touch(schema.Ramp, schema.At(1, 2))
			default:
				t.Fatalf("%q says nothing", s)
			}
		}
		g.Copies = append(g.Copies, c)
	}
	return g
}

func TestTable(t *testing.T) {
	orders := map[string]*schema.ChangeOrder{
		"old.md":     {ID: "1", Effective: now.AddDate(0, -2, 0), Valid: true},
		"new.md":     {ID: "2", Effective: now.AddDate(0, -1, 0), Valid: true},
		"tie.md":     {ID: "3", Effective: now.AddDate(0, -1, 0), Valid: true},
		"future.md":  {ID: "4", Effective: now.AddDate(0, 1, 0), Valid: true},
		"invalid.md": {ID: "5", Effective: now.AddDate(0, 0, -1)},
		"today.md":   {ID: "6", Effective: now, Valid: true},
	}
	over := func(item schema.Item, e schema.TruthEntry) *schema.PoolEntry {
		return &schema.PoolEntry{Truth: map[schema.Item]schema.TruthEntry{item: e}}
	}
	for _, tt := range []struct {
		name   string
		item   schema.Item
		entry  *schema.PoolEntry
		copies []string
		want   string // row, file of the truth, rivals
	}{
		{"members are the gateway's", schema.Members, nil, []string{"gateway g members", "app a members"}, "members: gateway g 1"},
		{"a silent gateway", schema.Members, nil, []string{"gateway g cooldown", "app a members"}, "members: gateway - 0"},
		{"a whole list counts before discovery", schema.Members, nil, []string{"gateway g1 discovered", "gateway g2 members"}, "members: gateway g2 2"},
		{"cooldown is the gateway's", schema.Cooldown, nil, []string{"gateway g cooldown", "app a cooldown"}, "cooldown: gateway g 1"},
		{"the manifest may say otherwise", schema.Cooldown, over(schema.Cooldown, schema.TruthEntry{Side: "app", Reason: "r"}), []string{"gateway g cooldown", "app a cooldown"}, "cooldown: app a 1"},
		{"and name the file", schema.Members, over(schema.Members, schema.TruthEntry{Copy: "g2", Reason: "r"}), []string{"gateway g1 members", "gateway g2 members"}, "members: gateway g2 2 chosen"},

		{"the only side with a probe executes it", schema.Probe, nil, []string{"gateway g probe", "app a members", "doc d probe"}, "probe: the executor (gateway) g 1"},
		{"two sides", schema.Probe, nil, []string{"gateway g probe", "app a probe"}, "probe: the executor - 0 gateway app"},
		{"one of them only says who", schema.Probe, nil, []string{"gateway g probe", "app a executor=gateway"}, "probe: the executor (gateway) g 1"},
		{"a copy says who, both write", schema.Probe, nil, []string{"gateway g probe", "app a probe executor=app"}, "probe: the executor (app) a 1"},
		{"a copy names an outside prober, the gateway probes", schema.Probe, nil, []string{"gateway g probe", "app a executor=blackbox"}, "probe: the executor (gateway) g 1"},
		{"nobody probes, a copy says who does", schema.Probe, nil, []string{"gateway g members", "app a executor=blackbox"}, "probe: the executor (blackbox) - 0"},
		{"each says it is the other", schema.Probe, nil, []string{"gateway g probe executor=app", "app a probe executor=gateway"}, "probe: the executor - 0 gateway app"},
		{"a probe that never runs executes nothing", schema.Probe, nil, []string{"gateway g probe off", "app a probe"}, "probe: the executor (app) a 1"},
		{"the manifest names it", schema.Probe, &schema.PoolEntry{Executor: "app"}, []string{"gateway g probe", "app a probe"}, "probe: the executor (app) a 1"},
		{"an outside prober", schema.Probe, &schema.PoolEntry{Executor: "blackbox"}, []string{"gateway g probe", "app a probe"}, "probe: the executor (blackbox) - 0"},

		{"the latest order in force", schema.Ramp, nil, []string{"order old.md ramp", "order new.md ramp", "app a ramp"}, "ramp: change order new.md 1"},
		{"ties by id", schema.Ramp, nil, []string{"order tie.md ramp", "order new.md ramp"}, "ramp: change order tie.md 1"},
		{"not those of the future", schema.Ramp, nil, []string{"order old.md ramp", "order future.md ramp"}, "ramp: change order old.md 1"},
		{"from its very moment", schema.Ramp, nil, []string{"order old.md ramp", "order today.md ramp"}, "ramp: change order today.md 1"},
		{"not what the grammar refuses", schema.Ramp, nil, []string{"order old.md ramp", "order invalid.md ramp"}, "ramp: change order old.md 1"},
		{"none", schema.Ramp, nil, []string{"order future.md ramp", "app a ramp"}, "ramp: change order - 0"},
	} {
		table := &Table{Manifest: &schema.Manifest{}, Orders: orders, Now: now}
		row := table.Of(group(t, tt.entry, tt.copies...), tt.item)
		file := "-"
		if row.Copy != nil {
			file = row.Copy.File()
		}
		got := fmt.Sprintf("%s %s %d", row.Name, file, len(row.All))
		if row.Chosen {
			got += " chosen"
		}
		for _, s := range row.Executors {
			got += " " + string(s)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
