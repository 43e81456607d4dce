package main

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// copyJSON is one copy as inspect shows it. Items hold what is written; settings list every value with what the engine
// makes of it.
type copyJSON struct {
	Side       string            `json:"side"`
	Format     string            `json:"format"`
	Profile    string            `json:"profile"`
	File       string            `json:"file"`
	Line       int               `json:"line"`
	Env        string            `json:"env"`
	Pool       string            `json:"pool"`
	Engine     string            `json:"engine"`
	Complete   bool              `json:"complete"`
	Effective  string            `json:"effective,omitempty"`
	Members    []map[string]any  `json:"members"`
	Probe      map[string]any    `json:"probe,omitempty"`
	Decision   map[string]any    `json:"decision,omitempty"`
	Cooldown   map[string]any    `json:"cooldown,omitempty"`
	Ramp       map[string]any    `json:"ramp,omitempty"`
	Retry      map[string]any    `json:"retry,omitempty"`
	OnAllOut   any               `json:"onAllOut,omitempty"`
	Settings   []settingJSON     `json:"settings"`
	Unresolved []unresolvedJSON  `json:"unresolved"`
	Digests    map[string]string `json:"digests"`
}

type settingJSON struct {
	Path      string `json:"path"`
	Written   string `json:"written"`
	Effective string `json:"effective"`
	Why       string `json:"why"`
	Line      int    `json:"line"`
	// NotCompared says why a row of a document is compared with nothing; absent for what is compared.
	NotCompared string `json:"notCompared,omitempty"`

	text, not schema.Text // Why and NotCompared, in both languages
}

type unresolvedJSON struct {
	Path string `json:"path"`
	Raw  string `json:"raw"`
	Line int    `json:"line"`
}

func (v *inspector) copy(c *schema.Copy) *copyJSON {
	j := &copyJSON{
		Side: string(c.Side), Format: c.Format, Profile: c.Profile, File: c.File(), Line: v.line(c, c.PoolAt), Env: c.Env, Pool: c.Pool,
		Engine: c.Engine, Complete: c.Complete, Members: []map[string]any{}, Settings: []settingJSON{}, Unresolved: []unresolvedJSON{},
		Digests: map[string]string{},
	}
	if !c.Effective.IsZero() {
		j.Effective = c.Effective.UTC().Format(time.RFC3339)
	}
	for i := range c.Members {
		j.Members = append(j.Members, v.member(c, &c.Members[i]))
	}
	j.Probe, j.Decision, j.Cooldown, j.Retry = v.item(c, schema.Probe), v.item(c, schema.Decision), v.item(c, schema.Cooldown), v.item(c, schema.Retry)
	j.Ramp = v.ramp(c)
	if out := v.item(c, schema.OnAllOut); out != nil {
		j.OnAllOut = out
		if then, ok := out["then"]; ok && len(out) == 1 {
			j.OnAllOut = then
		}
	}
	j.Settings = append(j.Settings, v.settings(c)...)
	for _, u := range c.Unresolved {
		j.Unresolved = append(j.Unresolved, unresolvedJSON{string(u.Path), report.Bound(strings.ToValidUTF8(u.Raw, "\uFFFD")), v.line(c, u.At)})
	}
	for _, item := range schema.Reconciled() {
		if c.States(item) {
			j.Digests[item.String()] = schema.Digest(c, item)
		}
	}
	return j
}

func (v *inspector) member(c *schema.Copy, m *schema.Member) map[string]any {
	j := map[string]any{"line": v.line(c, m.At)}
	set := func(key string, value any, said bool) {
		if said {
			j[key] = value
		}
	}
	set("address", m.Host, m.Host != "")
	if m.Port != 0 {
		j["port"] = int(m.Port)
	} else {
		set("port", m.PortText, m.PortText != "")
	}
	set("portImplied", true, m.PortImplied)
	set("socket", m.Socket, m.Socket != "")
	set("provider", m.Provider, m.Provider != "")
	set("model", m.Model, m.Model != "")
	set("from", m.Origin.String(), m.Origin != schema.Static)
	set("weight", m.Weight, m.HasWeight)
	set("priority", m.Priority, m.HasPriority)
	set("backup", m.Backup == schema.Yes, m.Backup != schema.Unsaid)
	set("state", m.State.String(), m.State != schema.StateUnsaid)
	for _, f := range m.Extra {
		set(string(f.Path), f.Value.JSON(), true)
	}
	return j
}

// item nests the written values of an item by their paths; nil if the copy does not state it.
func (v *inspector) item(c *schema.Copy, item schema.Item) map[string]any {
	if !c.States(item) {
		return nil
	}
	out := map[string]any{}
	for _, f := range c.Fields {
		if f.Path.Item() != item {
			continue
		}
		if _, ok := schema.EntryOf(f.Path); !ok {
			continue
		}
		at := out
		parts := strings.Split(f.Path.Leaf(), ".")
		for _, p := range parts[:len(parts)-1] {
			next, ok := at[p].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[p] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = f.Value.JSON()
	}
	return out
}

func (v *inspector) ramp(c *schema.Copy) map[string]any {
	out := v.item(c, schema.Ramp)
	if out == nil {
		return nil
	}
	var batches []map[string]any
	for i := range c.Batches {
		b := &c.Batches[i]
		j := map[string]any{"line": v.line(c, b.At)}
		if b.HasShare {
			j["share"] = b.Share
		}
		switch {
		case b.Manual:
			j["dwell"] = "manual"
		case b.HasDwell:
			j["dwell"] = schema.FormatDuration(b.Dwell)
		}
		if b.MinSamples > 0 {
			j["minSamples"] = b.MinSamples
		}
		if b.Implied {
			j["implied"] = true
		}
		if len(b.Regions) > 0 {
			j["regions"] = b.Regions
		}
		if len(b.Priorities) > 0 {
			j["priorities"] = b.Priorities
		}
		batches = append(batches, j)
	}
	if batches != nil {
		out["batches"] = batches
	}
	var stops []map[string]any
	for _, s := range c.Stops {
		j := map[string]any{"metric": s.Metric, "line": v.line(c, s.At)}
		if s.HasAbove {
			j["above"] = s.Above
		}
		if s.HasBelow {
			j["below"] = s.Below
		}
		if s.Against != "" {
			j["against"] = s.Against
		}
		stops = append(stops, j)
	}
	if stops != nil {
		out["stop"] = stops
	}
	return out
}

// settings lists every value that was read, then what the engine fills in.
func (v *inspector) settings(c *schema.Copy) []settingJSON {
	view := reconcile.NewView(c)
	var out []settingJSON
	for _, f := range c.Fields {
		if f.Path == "bound" || f.Path == "carrier" {
			continue // marks between readers, nothing that the file says
		}
		s := settingJSON{Path: string(f.Path), Written: v.written(c, f), Effective: f.Value.String(), Line: v.line(c, f.At)}
		for _, e := range view.Effective {
			if e.Path != f.Path {
				continue
			}
			if e.Value.Said() && (e.Clamped || !f.Value.Said()) {
				s.Effective = e.Value.String()
			}
			if s.text.En != "" {
				s.text.En += "; "
				s.text.Zh += "；"
			}
			s.text.En += e.Why.En
			s.text.Zh += e.Why.In("zh")
		}
		s.Why = s.text.En
		s.not = notCompared(c, f.Path)
		s.NotCompared = s.not.En
		out = append(out, s)
	}
	for _, e := range view.Effective {
		if _, ok := c.Get(e.Path); ok {
			continue
		}
		s := settingJSON{Path: string(e.Path), Effective: e.Value.String(), Why: e.Why.En, text: e.Why}
		if e.Unsure && e.Other.Said() {
			s.Effective += " or " + e.Other.String()
		}
		out = append(out, s)
	}
	return out
}

// notCompared says why a row of a document is no value of the model. Settings of gateways and applications outside the
// model have names of their engines', which nobody takes for names of the model.
func notCompared(c *schema.Copy, path schema.Path) schema.Text {
	if _, model := schema.EntryOf(path); model || c.Side != schema.Doc || path == section.Environment {
		return schema.Text{}
	}
	lex := vocabulary.Builtin()
	p, known := lex.Parameter(string(path), schema.NoItem)
	switch {
	case lex.Outside(string(path)):
		return schema.Textf("a setting that is never compared", "从不参与比较的配置")
	case known && p.Count:
		return schema.Textf("the name means a count, and the value is none", "该名称表示次数，而取值不是")
	case known:
		return schema.Textf("the name does not say what it belongs to here", "此处的名称没有写明属于哪一项")
	}
	return schema.Textf("unknown name", "名称无法识别")
}
