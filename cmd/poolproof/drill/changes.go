package drill

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Change is one setting of a pool that base and head do not have alike. An empty side does not have it.
type Change struct {
	Pool, Env string
	// Item is what the setting belongs to ("cooldown"), empty for settings outside the model.
	Item string
	// Path names the setting ("cooldown.duration"), or a member's ("members 10.0.0.1:80 weight").
	Path       string
	Base, Head string
}

// in words a side of a change: what is no value of a file is said in the language.
func (c *Change) in(l language, value string) string {
	switch {
	case c.Path == "pool" && value == "new":
		return l.say("new", "新增")
	case value == "member" && strings.HasPrefix(c.Path, "members "):
		return l.say("member", "成员")
	}
	return value
}

// Changes lists the settings that differ between two copies of a pool, at what their engines use: what nobody writes
// counts as its default. Places and spelling make no difference.
func Changes(base, head *schema.Copy) []Change {
	before, after := settings(base), settings(head)
	var list []Change
	for _, s := range before {
		if now, ok := find(after, s.path); !ok || now.value != s.value {
			list = append(list, Change{Item: s.item, Path: s.path, Base: s.value, Head: now.value})
		}
	}
	for _, s := range after {
		if _, ok := find(before, s.path); !ok {
			list = append(list, Change{Item: s.item, Path: s.path, Head: s.value})
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return rank(a.Item) - rank(b.Item) })
	return list
}

// rank orders items as the model does, what lies outside last.
func rank(item string) int {
	if i, ok := schema.ParseItem(item); ok && i != schema.NoItem {
		return int(i)
	}
	return int(schema.Items)
}

// setting is one value with its path.
type setting struct{ item, path, value string }

func find(list []setting, path string) (setting, bool) {
	i, ok := slices.BinarySearchFunc(list, path, func(s setting, p string) int { return strings.Compare(s.path, p) })
	if !ok {
		return setting{}, false
	}
	return list[i], true
}

// settings lists everything that a copy says and that its engine fills in, by path.
func settings(c *schema.Copy) []setting {
	list := []setting{{path: "engine", value: c.Engine}, {path: "profile", value: c.Profile}}
	view := reconcile.NewView(c)
	add := func(p schema.Path, v schema.Value) {
		s := setting{path: string(p), value: v.String()}
		if i := p.Item(); i != schema.NoItem {
			s.item = i.String()
		}
		list = append(list, s)
	}
	for _, f := range c.Fields {
		if f.Path == "bound" || f.Path == "carrier" {
			continue // marks between readers, nothing that the file says
		}
		if v, _, ok := view.Value(f.Path); ok {
			add(f.Path, reconcile.Normal(f.Path, v))
			continue
		}
		add(f.Path, reconcile.Normal(f.Path, f.Value))
	}
	for _, e := range view.Effective {
		if _, ok := c.Get(e.Path); !ok && e.Value.Said() {
			add(e.Path, reconcile.Normal(e.Path, e.Value))
		}
	}
	for i := range c.Members {
		list = append(list, member(&c.Members[i])...)
	}
	if len(c.Batches) > 0 {
		list = append(list, setting{item: "ramp", path: "ramp.batches", value: reconcile.RampString(c.Batches)})
	}
	for i := range c.Stops {
		list = append(list, stop(&c.Stops[i]))
	}
	slices.SortStableFunc(list, func(a, b setting) int { return strings.Compare(a.path, b.path) })
	list = slices.DeleteFunc(list, func(s setting) bool { return s.value == "" })
	return slices.CompactFunc(list, func(a, b setting) bool { return a.path == b.path })
}

// member lists what is said of a member.
func member(m *schema.Member) []setting {
	name := "members " + m.ID()
	list := []setting{{path: name, value: "member"}}
	if m.HasWeight {
		list = append(list, setting{path: name + " weight", value: strconv.FormatInt(m.Weight, 10)})
	}
	if m.HasPriority {
		list = append(list, setting{path: name + " priority", value: strconv.FormatInt(m.Priority, 10)})
	}
	if m.Backup == schema.Yes {
		list = append(list, setting{path: name + " backup", value: "true"})
	}
	if !m.IsActive() {
		list = append(list, setting{path: name + " state", value: m.State.String()})
	}
	for _, f := range m.Extra {
		list = append(list, setting{path: name + " " + string(f.Path), value: f.Value.String()})
	}
	for i := range list {
		list[i].item = schema.Members.String()
	}
	return list
}

func stop(s *schema.Stop) setting {
	var parts []string
	if s.HasAbove {
		parts = append(parts, "above "+strconv.FormatFloat(s.Above, 'f', -1, 64))
	}
	if s.HasBelow {
		parts = append(parts, "below "+strconv.FormatFloat(s.Below, 'f', -1, 64))
	}
	if s.Against == "baseline" {
		parts = append(parts, "against the baseline")
	}
	return setting{item: "ramp", path: "ramp.stop " + s.Metric, value: strings.Join(parts, ", ")}
}

// Turned is an expectation whose outcome is not the same on both sides.
type Turned struct {
	Base, Head             *Run
	ID                     string
	BasePass, HeadPass     dryrun.Pass
	BaseObserved, Observed schema.Text
}

// turned finds the expectations that base and head do not meet alike.
func (r *Report) turned() []Turned {
	var list []Turned
	for i, head := range r.Runs {
		base := r.base(i)
		if base == nil || !head.Judged {
			continue
		}
		for k := range head.Expectations {
			e := &head.Expectations[k]
			if k < len(base.Expectations) && base.Expectations[k].ID == e.ID && base.Expectations[k].Pass != e.Pass {
				old := &base.Expectations[k]
				list = append(list, Turned{Base: base, Head: head, ID: e.ID, BasePass: old.Pass, HeadPass: e.Pass, BaseObserved: old.Observed, Observed: e.Observed})
			}
		}
	}
	return list
}

// base returns the run of the base that a run of the head is compared with: it stands right before it. nil if there is none.
func (r *Report) base(i int) *Run {
	if i == 0 || r.Runs[i].Config != Head {
		return nil
	}
	head, b := r.Runs[i], r.Runs[i-1]
	if b.Config != Base || b.key() != head.key() || b.Scenario != head.Scenario || b.Group != head.Group || b.File != head.File {
		return nil
	}
	return b
}
