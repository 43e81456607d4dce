package report

import (
	"io"

	"github.com/poolproof/poolproof/schema"
)

// SchemaVersion names the shape of the JSON report. Fields may be added to it; none is renamed, retyped or dropped.
const SchemaVersion = "poolproof/v1"

type jsonHead struct {
	Schema  string      `json:"schema"`
	Tool    jsonTool    `json:"tool"`
	Now     string      `json:"now"`
	Summary jsonSummary `json:"summary"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonSummary struct {
	Pools      int            `json:"pools"`
	Copies     int            `json:"copies"`
	Files      int            `json:"files"`
	Errors     int            `json:"errors"`
	Warnings   int            `json:"warnings"`
	Infos      int            `json:"infos"`
	Suppressed int            `json:"suppressed"`
	Rules      int            `json:"rules"`
	Sides      map[string]int `json:"sides"`
	Formats    map[string]int `json:"formats"`
	Skipped    []jsonSkip     `json:"skipped"`
	Discovered bool           `json:"discovered"`
	Notes      []string       `json:"notes"`
}

type jsonSkip struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// JSONPlace is a place in the shape of the JSON report.
type JSONPlace struct {
	Side      string `json:"side"`
	File      string `json:"file"`
	Revision  string `json:"revision"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// JSONRelated is a place of another copy in the shape of the JSON report.
type JSONRelated struct {
	Side   string `json:"side"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value"`
	Truth  bool   `json:"truth"`
}

// JSONFinding is a finding in the shape of the JSON report, which other commands' JSON holds too.
type JSONFinding struct {
	Rule         string        `json:"rule"`
	Severity     string        `json:"severity"`
	Pool         string        `json:"pool"`
	Env          string        `json:"env"`
	Item         string        `json:"item"`
	Field        string        `json:"field"`
	Member       string        `json:"member,omitempty"`
	Message      string        `json:"message"`
	Hint         string        `json:"hint"`
	At           JSONPlace     `json:"at"`
	Related      []JSONRelated `json:"related"`
	Got          string        `json:"got"`
	Want         string        `json:"want"`
	Truth        string        `json:"truth"`
	Fingerprint  string        `json:"fingerprint"`
	Status       string        `json:"status"`
	SuppressedBy string        `json:"suppressedBy,omitempty"`
}

type jsonObligation struct {
	Pool    string `json:"pool"`
	Item    string `json:"item"`
	Changed string `json:"changed"`
	Owes    string `json:"owes"`
	PaidBy  string `json:"paidBy"`
	Ref     string `json:"ref"`
}

// jsonReport writes the stable JSON report: one finding a line, in English.
func jsonReport(w io.Writer, run *Run, _ Options) error {
	s := newStream(w)
	s.open(jsonHead{Schema: SchemaVersion, Tool: jsonTool{run.Tool, run.Version}, Now: stamp(run.Now),
		Summary: summaryJSON(&run.Summary)})
	s.raw(`,"findings":`)
	s.array(len(run.Findings), func(i int) any { return FindingJSON(&run.Findings[i]) })
	s.raw(`,"obligations":`)
	s.array(len(run.Obligations), func(i int) any {
		o := &run.Obligations[i]
		return jsonObligation{boundShort(o.Pool), o.Item, string(o.Changed), string(o.Owes), boundShort(o.PaidBy), boundShort(o.Ref)}
	})
	if len(run.Drills) > 0 {
		s.raw(`,"dryrun":`)
		s.array(len(run.Drills), func(i int) any { return drillJSON(&run.Drills[i]) })
	}
	s.raw("}\n")
	return s.err
}

// FindingJSON returns a finding in the shape of the JSON report. Texts are bounded; they are data, so nothing in them is
// written out for display.
func FindingJSON(f *schema.Finding) *JSONFinding {
	at := &f.At
	j := &JSONFinding{Rule: boundShort(f.Rule), Severity: severityName(f.Severity), Pool: boundShort(f.Pool), Env: boundShort(f.Env),
		Item: f.Item.String(), Field: boundShort(f.Field), Member: boundShort(f.Member), Message: boundText(f.Message.En),
		Hint: boundText(f.Hint.En),
		At: JSONPlace{boundShort(string(at.Side)), boundPath(at.File), boundShort(at.Revision), at.Line, at.Column, at.EndLine,
			at.EndColumn},
		Related: make([]JSONRelated, len(f.Related)), Got: boundShort(f.Got), Want: boundShort(f.Want), Truth: boundShort(f.Truth),
		Fingerprint: f.Fingerprint, Status: string(f.Status), SuppressedBy: boundShort(f.SuppressedBy)}
	if j.Status == "" {
		j.Status = string(schema.New)
	}
	for i := range f.Related {
		r := &f.Related[i]
		j.Related[i] = JSONRelated{boundShort(string(r.Side)), boundPath(r.File), r.Line, r.Column, boundShort(r.Value), r.Truth}
	}
	return j
}

// severityName is the name of a severity in machine formats; one that nobody set is a warning.
func severityName(s schema.Severity) string {
	if s == schema.DefaultSeverity {
		return schema.Warning.String()
	}
	return s.String()
}

func summaryJSON(s *Summary) jsonSummary {
	j := jsonSummary{Pools: s.Pools, Copies: s.Copies, Files: s.Files, Errors: s.Errors, Warnings: s.Warnings,
		Infos: s.Infos, Suppressed: s.Suppressed, Rules: s.Rules, Sides: map[string]int{}, Formats: map[string]int{},
		Skipped: make([]jsonSkip, len(s.Skipped)), Discovered: s.Discovered, Notes: make([]string, len(s.Notes))}
	for side, n := range s.Sides {
		j.Sides[boundShort(string(side))] += n
	}
	for _, f := range s.Formats {
		j.Formats[boundShort(f.Name)] += f.Files
	}
	for i, skip := range s.Skipped {
		j.Skipped[i] = jsonSkip{boundPath(skip.What), boundText(skip.Why.En)}
	}
	for i, note := range s.Notes {
		j.Notes[i] = boundText(note.En)
	}
	if s.Failed != nil {
		j.Notes = append(j.Notes, boundText("could not check: "+s.Failed.En))
	}
	return j
}
