package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// dryJSON is the report of a dry-run. Times of metrics are seconds; one that never came is null.
type dryJSON struct {
	Schema   string                `json:"schema"`
	Tool     toolJSON              `json:"tool"`
	Now      string                `json:"now"`
	Runs     []runJSON             `json:"runs"`
	Compare  []compareJSON         `json:"compare"`
	Skipped  []skippedJSON         `json:"skipped"`
	Findings []*report.JSONFinding `json:"findings"`
}

type toolJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type runJSON struct {
	Pool         string             `json:"pool"`
	Env          string             `json:"env"`
	Scenario     string             `json:"scenario"`
	Group        string             `json:"group"`
	File         string             `json:"file,omitempty"`
	Seeds        int                `json:"seeds"`
	Config       string             `json:"config"`
	Engine       string             `json:"engine"`
	Expectations []expectJSON       `json:"expectations"`
	Metrics      map[string]any     `json:"metrics"`
	Ranges       map[string][]any   `json:"ranges"`
	Timeline     []timelineJSON     `json:"timeline"`
	Omitted      int                `json:"omitted,omitempty"`
	Members      []memberResultJSON `json:"members"`
	Assumed      []string           `json:"assumed"`
}

type expectJSON struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Pass     any    `json:"pass"` // true, false or "not-applicable"
	Observed string `json:"observed"`
	Reason   string `json:"reason,omitempty"`
}

type timelineJSON struct {
	At     string `json:"at"`
	Event  string `json:"event"`
	Member string `json:"member"`
	Why    string `json:"why"`
}

type memberResultJSON struct {
	Member   string     `json:"member"`
	Answers  uint64     `json:"answers"`
	Attempts uint64     `json:"attempts"`
	Probes   uint64     `json:"probes"`
	States   []spanJSON `json:"states"`
}

type spanJSON struct {
	From  string `json:"from"`
	State string `json:"state"`
}

type compareJSON struct {
	Pool      string `json:"pool"`
	Env       string `json:"env"`
	Scenario  string `json:"scenario"`
	Metric    string `json:"metric"`
	Base      any    `json:"base"`
	Head      any    `json:"head"`
	BaseRange []any  `json:"baseRange"`
	HeadRange []any  `json:"headRange"`
	Better    string `json:"better"`
}

type skippedJSON struct {
	Pool     string `json:"pool"`
	Env      string `json:"env"`
	Scenario string `json:"scenario"`
	Engine   string `json:"engine"`
	Why      string `json:"why"`
}

func (d *dry) write(w io.Writer, format string) error {
	if format == "json" {
		return d.json(w)
	}
	return d.console(w)
}

func (d *dry) json(w io.Writer) error {
	doc := dryJSON{Schema: report.SchemaVersion, Tool: toolJSON{"poolproof", version()}, Now: d.request.now.Format("2006-01-02T15:04:05Z07:00"), Runs: []runJSON{}, Compare: []compareJSON{},
		Skipped: []skippedJSON{}, Findings: []*report.JSONFinding{}}
	for _, r := range d.runs {
		doc.Runs = append(doc.Runs, r.json())
	}
	for _, c := range d.comparisons {
		doc.Compare = append(doc.Compare, compareJSON{Pool: report.Bound(c.Pool), Env: report.Bound(c.Env), Scenario: report.Bound(c.Scenario), Metric: c.Metric,
			Base: numberJSON(c.Metric, c.Base.Median), Head: numberJSON(c.Metric, c.Head.Median), BaseRange: rangeJSON(c.Metric, c.Base),
			HeadRange: rangeJSON(c.Metric, c.Head), Better: string(c.Better)})
	}
	for _, s := range d.skipped {
		doc.Skipped = append(doc.Skipped, skippedJSON{report.Bound(s.Pool), report.Bound(s.Env), report.Bound(s.Scenario), report.Bound(s.Engine), report.Bound(s.Why.En)})
	}
	for i := range d.findings {
		doc.Findings = append(doc.Findings, report.FindingJSON(&d.findings[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the runs: %w", err)
	}
	return nil
}

func (r *playedRun) json() runJSON {
	j := runJSON{Pool: report.Bound(r.Pool), Env: report.Bound(r.Env), Scenario: report.Bound(r.Scenario), Group: r.Group, File: r.File, Config: r.Config, Engine: report.Bound(r.Engine),
		Expectations: []expectJSON{}, Metrics: map[string]any{}, Ranges: map[string][]any{}, Timeline: []timelineJSON{}, Members: []memberResultJSON{}, Assumed: []string{}}
	for _, e := range r.Expectations {
		j.Expectations = append(j.Expectations, expectJSON{report.Bound(e.ID), report.Bound(e.Text.En), passJSON(e.Pass), report.Bound(e.Observed), report.Bound(e.Reason.En)})
	}
	if r.Summary == nil {
		return j
	}
	j.Seeds = r.Summary.Seeds
	for _, m := range r.Summary.Metrics {
		j.Metrics[m.Name] = numberJSON(m.Name, m.Median)
		j.Ranges[m.Name] = rangeJSON(m.Name, m.Spread)
	}
	first := r.Summary.First
	for _, s := range first.Metrics.Statuses {
		j.Metrics[fmt.Sprintf("status-%d", s.Status)] = s.Count
	}
	for _, e := range first.Timeline {
		j.Timeline = append(j.Timeline, timelineJSON{moment(e.At), e.Event, report.Bound(e.Member), report.Bound(e.Why.En)})
	}
	j.Omitted = first.Cut
	for i := range first.Members {
		m := &first.Members[i]
		k := memberResultJSON{Member: report.Bound(m.ID), Answers: m.Answers, Attempts: m.Attempts, Probes: m.Probes, States: []spanJSON{}}
		for _, s := range m.States {
			k.States = append(k.States, spanJSON{moment(s.From), s.State.String()})
		}
		j.Members = append(j.Members, k)
	}
	for _, t := range r.assumed() {
		j.Assumed = append(j.Assumed, report.Bound(t.En))
	}
	return j
}

// assumed lists what nobody said.
func (r *playedRun) assumed() []schema.Text {
	list := append([]schema.Text{}, r.Assumed...)
	if r.Summary != nil {
		list = append(list, r.Summary.First.Assumed...)
	}
	return list
}

func passJSON(p dryrun.Pass) any {
	switch p {
	case dryrun.Held:
		return true
	case dryrun.Failed:
		return false
	}
	return "not-applicable"
}

// numberJSON is a metric as a number; times below zero never came.
func numberJSON(name string, f float64) any {
	if f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return math.Round(f*1e6) / 1e6
}

func rangeJSON(name string, s dryrun.Spread) []any {
	return []any{numberJSON(name, s.Low), numberJSON(name, s.High)}
}
