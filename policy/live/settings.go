package live

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// scalarItems are the items whose values are compared one by one.
var scalarItems = []schema.Item{schema.Probe, schema.Decision, schema.Cooldown, schema.Retry, schema.OnAllOut}

// settings compares the values that the running gateway shows. Where it shows an item whole, what it lacks of it is told
// too.
func (p *pair) settings() {
	for _, item := range scalarItems {
		file, live := p.file.Copy.States(item), p.live.States(item)
		whole := p.shows(item)
		switch {
		case file && live:
			for _, d := range reconcile.Scalars(item, p.file, p.live) {
				if d.Implied != nil && d.Implied.Unsure {
					continue // nobody said which version the file is for
				}
				p.differs(&d, "")
			}
			if whole {
				p.unapplied(item)
			}
		case file && whole && p.certain(item) && p.live.States(sibling(item)):
			p.unapplied(item) // the block is there; what it leaves out is the engine's default
		case file && whole && p.certain(item):
			p.absentItem(item)
		case live && whole && p.certain(item) && !p.left(item):
			p.extraItem(item)
		}
	}
}

// sibling returns the item that engines write in the same block: when a member is removed, and for how long.
func sibling(item schema.Item) schema.Item {
	switch item {
	case schema.Decision:
		return schema.Cooldown
	case schema.Cooldown:
		return schema.Decision
	}
	return schema.NoItem
}

// shows reports whether the gateway gives an item whole. A file that other files are made from says as much as it likes.
func (p *pair) shows(item schema.Item) bool {
	return p.file.Copy.Format == p.answer.Kind.Format && slices.Contains(p.answer.Kind.Shows, item)
}

// certain reports whether an item stands in the file without templates that could write more or less of it.
func (p *pair) certain(item schema.Item) bool {
	return !slices.ContainsFunc(p.file.Copy.Unresolved, func(u schema.Unresolved) bool { return u.Path.Item() == item || u.Path == "" })
}

// left reports whether a file speaks of members alone: what it leaves out of an item stands in another one.
func (p *pair) left(item schema.Item) bool {
	for i := schema.Probe; i < schema.Items; i++ {
		if i != item && p.file.Copy.States(i) {
			return false
		}
	}
	return len(p.file.Copy.Fields) == 0
}

// unapplied reports values of an item that the file writes and the running gateway neither shows nor has by default.
func (p *pair) unapplied(item schema.Item) {
	stated := *p.live
	stated.Touch(item, gateway.Somewhere())
	running := reconcile.NewView(&stated)
	for _, f := range p.file.Copy.Fields {
		entry, ok := schema.EntryOf(f.Path)
		if f.Path.Item() != item || !ok || !entry.Compared || zero(f.Value) {
			continue
		}
		if _, shown := p.live.Get(f.Path); shown {
			continue
		}
		want, at, _ := p.file.Value(f.Path)
		got, _, known := running.Value(f.Path)
		if e, ok := running.EffectiveOf(f.Path); ok && e.Unsure {
			continue
		}
		if known && reconcile.Normal(f.Path, got) == reconcile.Normal(f.Path, want) {
			continue
		}
		p.differs(&reconcile.Divergence{Item: item, Field: f.Path.Leaf(), Want: want.String(), Got: got.String(), TruthAt: at}, "")
	}
}

// zero reports values that answers leave out because they are nothing.
func zero(v schema.Value) bool {
	switch v.Kind() {
	case schema.TextKind:
		return v.Text() == ""
	case schema.List:
		return len(v.List()) == 0
	case schema.Bool:
		return !v.Bool()
	case schema.Duration:
		return v.Duration() == 0
	}
	return v.Number() == 0
}

func (p *pair) absentItem(item schema.Item) {
	f := p.file.Copy
	if item == schema.Probe && f.ItemAt[item].Known() {
		if _, off := f.Get("probe.off"); off {
			return
		}
	}
	name := rules.ItemName(item)
	p.hit("live/not-applied", p.group, rules.Hit{Copy: p.live, Item: item, Want: name.En,
		Text: schema.Text{
			En: "the file states " + name.En + " and " + p.answer.Name + " runs without",
			Zh: "文件写有" + name.In("zh") + "，而 " + p.answer.Name + " 没有使用",
		},
		Hint:    schema.Textf("reload the gateway, or remove it from %s", "请重新加载网关，或从 %s 中删除", f.File()),
		Related: []rules.Relative{{Copy: f, At: f.ItemAt[item], Truth: true, Label: schema.Textf("the file states it", "文件写有此项")}},
	})
}

func (p *pair) extraItem(item schema.Item) {
	f := p.file.Copy
	var shown []string
	for _, v := range p.live.Fields {
		if _, model := schema.EntryOf(v.Path); model && v.Path.Item() == item {
			shown = append(shown, v.Path.Leaf()+" "+v.Value.String())
		}
	}
	slices.Sort(shown)
	name := rules.ItemName(item)
	p.hit("live/only-running", p.group, rules.Hit{Copy: p.live, Item: item, Got: strings.Join(shown, ", "),
		Text: schema.Text{
			En: p.answer.Name + " runs with " + name.En + " that the file does not state; a reload would lose it",
			Zh: p.answer.Name + " 使用了文件未写的" + name.In("zh") + "；重新加载后会丢失",
		},
		Hint:    schema.Textf("write it into %s, or reload the gateway", "请写入 %s，或重新加载网关", f.File()),
		Related: []rules.Relative{{Copy: f, At: f.PoolAt, Truth: true, Label: schema.Textf("the pool in the file", "文件中的池")}},
	})
}

// ramp compares the batches and the values beside them.
func (p *pair) ramp() {
	const item = schema.Ramp
	file, live := p.file.Copy.States(item), p.live.States(item)
	switch {
	case file && live:
		for _, d := range append(reconcile.Ramps(p.file, p.live), reconcile.Scalars(item, p.file, p.live)...) {
			p.differs(&d, "")
		}
	case file && p.shows(item) && p.certain(item):
		p.absentItem(item)
	case live && p.shows(item) && p.certain(item) && !p.left(item):
		p.extraItem(item)
	}
}
