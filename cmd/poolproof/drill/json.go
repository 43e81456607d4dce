package drill

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
)

// jsonReport is the report of a dry-run. Times of metrics are seconds; one that never came is null.
type jsonReport struct {
	Schema   string                `json:"schema"`
	Tool     toolJSON              `json:"tool"`
	Now      string                `json:"now"`
	Base     string                `json:"base,omitempty"`
	Revision string                `json:"revision,omitempty"`
	Runs     []runJSON             `json:"runs"`
	Compare  []compareJSON         `json:"compare"`
	Changes  []changeJSON          `json:"changes"`
	Skipped  []skippedJSON         `json:"skipped"`
	Findings []*report.JSONFinding `json:"findings"`
	Failed   string                `json:"failed,omitempty"` // why not all of it was played
}

type toolJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type runJSON struct {
	Pool         string            `json:"pool"`
	Env          string            `json:"env"`
	Scenario     string            `json:"scenario"`
	Group        string            `json:"group"`
	File         string            `json:"file,omitempty"`
	Seeds        int               `json:"seeds"`
	Config       string            `json:"config"`
	Engine       string            `json:"engine"`
	Source       string            `json:"source,omitempty"`
	Digests      map[string]string `json:"digests,omitempty"`
	Expectations []expectJSON      `json:"expectations"`
	Metrics      map[string]any    `json:"metrics"`
	Ranges       map[string][]any  `json:"ranges"`
	Timeline     []timelineJSON    `json:"timeline"`
	Omitted      int               `json:"omitted,omitempty"`
	Members      []memberJSON      `json:"members"`
	Assumed      []string          `json:"assumed"`
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

type memberJSON struct {
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

type changeJSON struct {
	Pool string `json:"pool"`
	Env  string `json:"env"`
	Item string `json:"item"`
	Path string `json:"path"`
	Base string `json:"base"`
	Head string `json:"head"`
}

type skippedJSON struct {
	Pool     string `json:"pool"`
	Env      string `json:"env"`
	Scenario string `json:"scenario"`
	Engine   string `json:"engine"`
	Why      string `json:"why"`
}

// JSON writes the report for programs. It is in English.
func (r *Report) JSON(w io.Writer) error {
	doc := jsonReport{Schema: report.SchemaVersion, Tool: toolJSON{r.Tool, r.Version}, Now: r.Now.Format("2006-01-02T15:04:05Z07:00"), Base: report.Bound(r.Base), Revision: r.Revision,
		Runs: []runJSON{}, Compare: []compareJSON{}, Changes: []changeJSON{}, Skipped: []skippedJSON{}, Findings: []*report.JSONFinding{}}
	for _, run := range r.Runs {
		doc.Runs = append(doc.Runs, run.json())
	}
	for _, c := range r.Comparisons {
		doc.Compare = append(doc.Compare, compareJSON{Pool: report.Bound(c.Pool), Env: report.Bound(c.Env), Scenario: report.Bound(c.Scenario), Metric: c.Metric,
			Base: numberJSON(c.Base.Median), Head: numberJSON(c.Head.Median), BaseRange: rangeJSON(c.Base), HeadRange: rangeJSON(c.Head), Better: string(c.Better)})
	}
	for _, c := range r.Changes {
		doc.Changes = append(doc.Changes, changeJSON{report.Bound(c.Pool), report.Bound(c.Env), c.Item, report.Bound(c.Path), report.Bound(c.Base), report.Bound(c.Head)})
	}
	for _, s := range r.Skipped {
		doc.Skipped = append(doc.Skipped, skippedJSON{report.Bound(s.Pool), report.Bound(s.Env), report.Bound(s.Scenario), report.Bound(s.Engine), report.Bound(s.Why.En)})
	}
	for i := range r.Findings {
		doc.Findings = append(doc.Findings, report.FindingJSON(&r.Findings[i]))
	}
	if r.Failed != nil {
		doc.Failed = report.Bound(r.Failed.En)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the runs: %w", err)
	}
	return nil
}

func (r *Run) json() runJSON {
	j := runJSON{Pool: report.Bound(r.Pool), Env: report.Bound(r.Env), Scenario: report.Bound(r.Scenario), Group: r.Group, File: r.File, Config: r.Config, Engine: report.Bound(r.Engine), Source: r.Source,
		Expectations: []expectJSON{}, Metrics: map[string]any{}, Ranges: map[string][]any{}, Timeline: []timelineJSON{}, Members: []memberJSON{}, Assumed: []string{}}
	if len(r.Digests) > 0 {
		j.Digests = map[string]string{}
	}
	for _, d := range r.Digests {
		j.Digests[d.Item] = d.Sum
	}
	for _, e := range r.Expectations {
		j.Expectations = append(j.Expectations, expectJSON{report.Bound(e.ID), report.Bound(e.Text.En), passJSON(e.Pass), report.Bound(e.Observed.En), report.Bound(e.Reason.En)})
	}
	for _, t := range r.assumed() {
		j.Assumed = append(j.Assumed, report.Bound(t.En))
	}
	if r.Summary == nil {
		return j
	}
	j.Seeds = r.Summary.Seeds
	for _, m := range r.Summary.Metrics {
		j.Metrics[m.Name] = numberJSON(m.Median)
		j.Ranges[m.Name] = rangeJSON(m.Spread)
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
		k := memberJSON{Member: report.Bound(m.ID), Answers: m.Answers, Attempts: m.Attempts, Probes: m.Probes, States: []spanJSON{}}
		for _, s := range m.States {
			k.States = append(k.States, spanJSON{moment(s.From), s.State.String()})
		}
		j.Members = append(j.Members, k)
	}
	return j
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
func numberJSON(f float64) any {
	if f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return math.Round(f*1e6) / 1e6
}

func rangeJSON(s dryrun.Spread) []any { return []any{numberJSON(s.Low), numberJSON(s.High)} }
