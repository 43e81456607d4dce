// Package baddays holds the known bad days: scenarios that every pool should be played through before it meets them. They
// are made for the members of a pool, report metrics, and judge nothing, since what is right depends on the pool.
package baddays

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"text/template"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

//go:embed *.yaml
var files embed.FS

// Names lists the bad days in the order in which they are played.
func Names() []string {
	return []string{
		"shared-link-jitter", "shared-link-hang", "overload-cascade", "gc-pause", "low-volume-noise", "one-tenant-throttled", "slow-first-token",
		"partial-recovery", "gradual-recovery", "dead-upstream", "probe-ok-business-not", "one-quota",
	}
}

// cast is what a bad day needs to know of a pool.
type cast struct {
	// First is the member that gets most; Shared are those that have something in common, or all.
	First    string
	Shared   []string
	Common   string // what they share; empty: nobody says that they share anything
	Load     []load
	RPS      string
	P50, P99 string
}

// load is how much a member has room for.
type load struct {
	ID       string
	Capacity int
}

// Scenario returns a bad day for the members of a copy under a load. It is nil, with the reason, where the pool cannot
// have that day.
func Scenario(name string, c *schema.Copy, t *dryrun.Traffic) (*dryrun.Scenario, schema.Text) {
	text, why := Text(name, c, t)
	if text == nil {
		return nil, why
	}
	s, problems, ok := dryrun.Read(name+".yaml", text)
	if !ok {
		return nil, schema.Textf("it cannot be made for this pool: %s", "无法用于该池：%s", problems[0].Text.En)
	}
	return s, schema.Text{}
}

// Text returns the text of a bad day for a pool: a scenario file that can be kept and changed.
func Text(name string, c *schema.Copy, t *dryrun.Traffic) ([]byte, schema.Text) {
	raw, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, schema.Textf("there is no bad day %q", "没有名为 %q 的故障日", name)
	}
	p, ok := castOf(c, t)
	if !ok {
		return nil, schema.Textf("no member takes traffic by configuration", "按配置没有成员接收流量")
	}
	page, err := template.New(name).Funcs(template.FuncMap{"json": quoted}).Parse(string(raw))
	if err == nil {
		var b bytes.Buffer
		if err = page.Execute(&b, p); err == nil {
			return b.Bytes(), schema.Text{}
		}
	}
	return nil, schema.Textf("it cannot be made for this pool: %v", "无法用于该池：%v", err)
}

// quoted writes a value in a form that YAML reads as it is.
func quoted(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("writing a name: %w", err)
	}
	return string(text), nil
}

// busy is how long a request takes in the overload cascade on average, in seconds, and room how much more than its load a
// member can serve.
const (
	busy = 0.25
	room = 4.0 / 3
)

func castOf(c *schema.Copy, t *dryrun.Traffic) (p cast, ok bool) {
	p.RPS = strconv.FormatFloat(t.RPS, 'f', -1, 64)
	p.P50, p.P99 = schema.FormatDuration(t.P50), schema.FormatDuration(t.P99)
	first, total, most := int64(math.MaxInt64), 0.0, -1.0
	takes := func(m *schema.Member) bool { return m.IsActive() && weight(m) > 0 && m.Backup != schema.Yes }
	for i := range c.Members {
		if m := &c.Members[i]; takes(m) {
			first = min(first, m.Priority)
		}
	}
	for i := range c.Members {
		if m := &c.Members[i]; takes(m) && m.Priority == first {
			total += weight(m)
			if weight(m) > most {
				most, p.First = weight(m), m.ID()
			}
		}
	}
	if p.First == "" {
		return p, false
	}
	common := map[string][]string{}
	for i := range c.Members {
		m := &c.Members[i]
		id := m.ID()
		if f, ok := m.Get("shares"); ok {
			for _, s := range f.Value.List() {
				common[s] = append(common[s], id)
			}
		}
		if !slices.ContainsFunc(p.Load, func(l load) bool { return l.ID == id }) {
			capacity := t.RPS * weight(m) / total * busy * room
			p.Load = append(p.Load, load{id, int(max(1, min(math.Ceil(capacity), 1e6)))})
		}
	}
	for _, s := range sorted(common) {
		if len(common[s]) > max(1, len(p.Shared)) {
			p.Shared, p.Common = common[s], s
		}
	}
	if len(p.Shared) < 2 {
		for _, l := range p.Load {
			p.Shared = append(p.Shared, l.ID)
		}
	}
	return p, true
}

func weight(m *schema.Member) float64 {
	if m.HasWeight {
		return float64(m.Weight)
	}
	return 1
}

func sorted(m map[string][]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
