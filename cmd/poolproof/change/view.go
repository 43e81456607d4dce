package change

import (
	"time"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// View is what a template sees. Printed as it is ({{.ID}}), a Value is escaped for Markdown, in a table too; {{code .ID}}
// makes a code span of it, {{yaml .ID}} a YAML scalar.
type View struct {
	// Lang is "en" or "zh".
	Lang string
	// ID, Initiator and Effective are as the front matter has them, empty where they are still to be filled in.
	ID, Initiator, Effective Value
	Pools                    []Value
	Settings                 []SettingView
	Items                    []ItemView
	Debts                    []DebtView
	Ramps                    []RampView
	// Drill is nil if nothing was played.
	Drill *DrillView

	facts []byte
}

// SettingView is one setting of one copy that the change alters: Side is the copy's, File its file. Before and After are
// empty where the setting is not there.
type SettingView struct{ Pool, Env, Side, File, Name, Before, After Value }

// ItemView is the digest of one item on one side before the change and, in the row of the truth (Side is empty), after it.
type ItemView struct{ Pool, Env, Item, Side, Digest Value }

// DebtView is what a side owes: PaidBy is "tree", "order", "exception" or empty, Ref says what paid.
type DebtView struct{ Pool, Env, Item, Side, File, PaidBy, Ref Value }

// RampView is a ramp that the order freezes.
type RampView struct {
	Pool                                       Value
	Batches                                    []BatchView
	Stops                                      []StopView
	RollbackTo, RollbackCooldown, SuspendAfter Value
}

// BatchView is one batch: Number counts from 1, What is the share, regions or priorities that return, Dwell a duration or
// "manual".
type BatchView struct {
	Number                  int
	What, Dwell, MinSamples Value
}

// StopView is one condition that stops the ramp. Baseline: its lines are multiples of what was normal before.
type StopView struct {
	Metric, Above, Below Value
	Baseline             bool
}

// DrillView is the drill.
type DrillView struct {
	Command, Tool, Config Value
	Seeds                 int
	Results               []ResultView
}

// ResultView is one case of the drill: Pass is "true", "false" or "not-applicable".
type ResultView struct{ ID, Pass, Observed Value }

// view gathers what a template sees. What people edit is read from the front matter.
func (o *Order) view(text []byte) (*View, error) {
	known, err := Read(text)
	if err != nil {
		return nil, err
	}
	v := &View{Lang: o.Lang, ID: Value(known.ID), Initiator: Value(known.Initiator), Effective: Value(known.Effective), facts: o.facts()}
	if v.Lang == "" {
		v.Lang = "en"
	}
	for _, p := range o.Pools {
		v.Pools = append(v.Pools, Value(p))
	}
	for _, s := range o.Settings {
		v.Settings = append(v.Settings, SettingView{Value(s.Pool), Value(s.Env), Value(s.Side), Value(s.File), Value(s.Name), Value(s.Before), Value(s.After)})
	}
	for i := range o.Items {
		x := &o.Items[i]
		row := ItemView{Pool: Value(x.Pool), Env: Value(x.Env), Item: Value(x.Item)}
		for _, side := range sides() {
			if d := x.Before[side]; d != "" {
				row.Side, row.Digest = Value(side), Value(d)
				v.Items = append(v.Items, row)
			}
		}
		if x.After != "" {
			row.Side, row.Digest = "", Value(x.After)
			v.Items = append(v.Items, row)
		}
	}
	for _, d := range o.Debts {
		v.Debts = append(v.Debts, DebtView{Value(d.Pool), Value(d.Env), Value(d.Item), Value(d.Side), Value(d.File), Value(d.PaidBy), Value(d.Ref)})
	}
	filled := read(Fill(text, time.Time{}.Add(time.Hour).Format(time.RFC3339)))
	for i := range filled.Copies {
		if c := &filled.Copies[i]; c.States(schema.Ramp) {
			v.Ramps = append(v.Ramps, rampView(c))
		}
	}
	if d := o.Drill; d != nil {
		v.Drill = &DrillView{Command: Value(d.Command), Tool: Value(d.Tool), Config: Value(d.Config), Seeds: d.Seeds}
		for _, r := range d.Results {
			v.Drill.Results = append(v.Drill.Results, ResultView{Value(r.ID), Value(r.Pass), Value(r.Observed)})
		}
	}
	return v, nil
}

func rampView(c *schema.Copy) RampView {
	r := RampView{Pool: Value(c.Pool)}
	get := func(p schema.Path) Value {
		f, _ := c.Get(p)
		return Value(f.Value.String())
	}
	for i := range c.Batches {
		b := c.Batches[i]
		view := BatchView{Number: i + 1}
		switch {
		case b.Manual:
			view.Dwell = "manual"
		case b.HasDwell:
			view.Dwell = Value(schema.FormatDuration(b.Dwell))
		}
		if b.MinSamples > 0 {
			view.MinSamples = Value(number(float64(b.MinSamples)))
		}
		b.HasDwell, b.Manual, b.MinSamples = false, false, 0
		view.What = Value(reconcile.RampString([]schema.Batch{b}))
		r.Batches = append(r.Batches, view)
	}
	for i := range c.Stops {
		s := &c.Stops[i]
		view := StopView{Metric: Value(s.Metric), Baseline: s.Against == "baseline"}
		if s.HasAbove {
			view.Above = Value(number(s.Above))
		}
		if s.HasBelow {
			view.Below = Value(number(s.Below))
		}
		r.Stops = append(r.Stops, view)
	}
	r.RollbackTo, r.RollbackCooldown, r.SuspendAfter = get("ramp.rollback.to"), get("ramp.rollback.cooldown"), get("ramp.suspendAfter")
	return r
}
