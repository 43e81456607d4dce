package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	order "github.com/poolproof/poolproof/cmd/poolproof/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/order/changeorder"
)

func sourceInput(path string, text []byte) sources.Input {
	return sources.Input{Path: path, Data: text, Source: &schema.Source{Side: schema.Order, Format: changeorder.Name}}
}

// ramps holds the ramps that an order freezes against the copies, also where the order is not in force yet.
func (v *verifier) ramps(path string, o *schema.ChangeOrder) {
	for _, g := range groupsOf(v.change, o.Ramps) {
		var frozen *schema.Copy
		for _, c := range g.Copies {
			if c.Side == schema.Order && c.File() == path && c.States(schema.Ramp) {
				frozen = v.change.Head.Loaded.Whole(c)
			}
		}
		if frozen == nil {
			continue
		}
		view := reconcile.NewView(frozen)
		for _, c := range g.Copies {
			if c.Side == schema.Order || c.Side == schema.Live || !c.States(schema.Ramp) || v.said("ramp/differs", g, c) || v.said("evidence/missing", g, c) || v.said("evidence/not-in-order", g, c) {
				continue
			}
			c = v.change.Head.Loaded.Whole(c)
			diffs := append(reconcile.Ramps(view, c), reconcile.Scalars(schema.Ramp, view, c)...)
			if len(diffs) == 0 {
				continue
			}
			var parts []string
			for i := range diffs {
				parts = append(parts, fmt.Sprintf("%s %s, not %s", diffs[i].Field, or(diffs[i].Got, "-"), or(diffs[i].Want, "-")))
			}
			f := schema.Finding{Rule: "ramp/differs", Pool: g.Pool, Env: g.Env, Item: schema.Ramp, Field: diffs[0].Field, Got: diffs[0].Got, Want: diffs[0].Want, Truth: "ramp: change order"}
			f.At = schema.Place{Side: c.Side, File: c.File(), Revision: v.change.Head.Tree.Revision(), Span: c.ItemAt[schema.Ramp]}
			f.Related = []schema.Related{{Place: v.at(path, frozen.ItemAt[schema.Ramp]), Truth: true, Label: schema.Textf("what is frozen", "所冻结的批次")}}
			f.Message = schema.Textf("the ramp is not the one that the change order %s freezes: %s", "放量批次与变更单 %s 所冻结的不同：%s", o.ID, strings.Join(parts, "; "))
			f.Hint = schema.Textf("transcribe the ramp of %[1]s; or freeze the one of %[2]s: poolproof change new --ramp-from %[2]s", "将 %[1]s 的批次抄入；或冻结 %[2]s 的批次：poolproof change new --ramp-from %[2]s", path, c.File())
			v.tell(f)
		}
	}
}

// said reports whether there is a finding of a rule about a copy.
func (v *verifier) said(rule string, g *reconcile.Group, c *schema.Copy) bool {
	return slices.ContainsFunc(v.findings, func(f schema.Finding) bool {
		return f.Rule == rule && f.Pool == g.Pool && f.Env == g.Env && f.At.File == c.File() && (f.Item == schema.Ramp || f.Item == schema.NoItem)
	})
}

// stale finds the parts of the text for people that are not about this change.
func (v *verifier) stale(path string, text []byte) {
	var facts order.Order
	facts.Pools, facts.Items, facts.Settings = factsOf(evidence.Pools(v.changeOptions(v.change), path))
	for _, s := range facts.Stale(text) {
		f := schema.Finding{Rule: "evidence/stale", Field: s.What, At: v.at(path, s.At)}
		f.Message = schema.Textf("the section %s is not what was generated for this change: the change is another one by now, the ramp was filled in since, or somebody edited the text", "%s 一节与针对本次变更生成的内容不符：变更已不同、此后填写了 ramp，或文本被改动", s.What)
		f.Hint = schema.Textf("run poolproof change new again; write your own text outside of the marks", "重新运行 poolproof change new；自己的文字请写在标记之外")
		v.tell(f)
	}
}

// mostSeeds is under how many seeds a drill is played again: what an order says must not keep this machine busy for hours.
const mostSeeds = 100

// drill plays the drill of an order again and compares.
func (v *verifier) drill(ctx context.Context, o *schema.ChangeOrder) error {
	d := o.Drill
	if d == nil {
		return nil
	}
	say := func(rule string, at schema.Span, got, want string, text, hint schema.Text) {
		if !at.Known() {
			at = d.At
		}
		v.tell(schema.Finding{Rule: rule, Field: "drill", At: v.at(o.File, at), Got: got, Want: want, Message: text, Hint: hint})
	}
	if d.Seeds < 1 || d.Seeds > mostSeeds {
		say("evidence/no-drill", d.At, fmt.Sprint(d.Seeds), "", schema.Textf("the drill of the change order %s was played under %d seeds, and is not played again", "变更单 %s 的演练使用了 %d 个种子，未重新演练", o.ID, d.Seeds),
			schema.Textf("play it under 1 to %d seeds: poolproof change new --seeds N", "请使用 1 到 %d 个种子：poolproof change new --seeds N", mostSeeds))
		return nil
	}
	for i := range v.findings {
		if f := &v.findings[i]; f.Rule == "evidence/no-drill" && f.At.File == o.File {
			return nil // other settings give other results
		}
	}
	now, err := v.playDrill(ctx, v.change, o.Pools, o.Effective, d.Seeds)
	if err != nil {
		return err
	}
	by := ""
	if tool := "poolproof " + version(); tool != d.Tool {
		by = tool
	}
	other := func(en, zh string) schema.Text {
		if by != "" {
			return schema.Text{En: fmt.Sprintf("%s; it was played by %s, and this is %s", en, d.Tool, by), Zh: fmt.Sprintf("%s；当时由 %s 演练，而现在是 %s", zh, d.Tool, by)}
		}
		return schema.Text{En: en, Zh: zh}
	}
	for _, r := range now {
		at := slices.IndexFunc(d.Results, func(x schema.DrillResult) bool { return x.ID == r.ID })
		switch {
		case at < 0:
			say("evidence/stale", d.At, "", r.ID, schema.Textf("the drill of the change order %s has no result for %s", "变更单 %s 的演练没有 %s 的结果", o.ID, r.ID), again())
		case d.Results[at].Pass != r.Pass:
			say("evidence/stale", d.Results[at].At, d.Results[at].Pass, r.Pass, other(
				fmt.Sprintf("%s: the order says pass: %s; played again it is %s: %s", r.ID, d.Results[at].Pass, r.Pass, r.Observed),
				fmt.Sprintf("%s：变更单写的是 pass: %s；重新演练为 %s：%s", r.ID, d.Results[at].Pass, r.Pass, r.Observed)), again())
		case d.Results[at].Observed != r.Observed:
			say("evidence/stale", d.Results[at].At, d.Results[at].Observed, r.Observed, other(
				fmt.Sprintf("%s: what was observed is not what is observed when it is played again: %s", r.ID, r.Observed),
				fmt.Sprintf("%s：所记观察与重新演练不同：%s", r.ID, r.Observed)), again())
		}
	}
	for _, x := range d.Results {
		if !slices.ContainsFunc(now, func(r schema.DrillResult) bool { return r.ID == x.ID }) {
			say("evidence/stale", x.At, x.ID, "", schema.Textf("%s is no case of the pools of the change order %s", "%s 不是变更单 %s 所涉池的用例", x.ID, o.ID), again())
		}
	}
	return nil
}
