package main

import (
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
)

// alignJSON is what align says to machines, in English.
type alignJSON struct {
	Schema  string           `json:"schema"`
	Tool    alignToolJSON    `json:"tool"`
	Edits   []alignEditJSON  `json:"edits"`
	Left    []alignLeftJSON  `json:"left"`
	Summary alignSummaryJSON `json:"summary"`
}

type alignToolJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type alignEditJSON struct {
	Side      string `json:"side"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Pool      string `json:"pool"`
	Env       string `json:"env"`
	Item      string `json:"item"`
	Old       string `json:"old"`
	New       string `json:"new"`
	Settles   string `json:"settles"`
}

type alignLeftJSON struct {
	Side   string `json:"side"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Pool   string `json:"pool"`
	Env    string `json:"env"`
	Item   string `json:"item"`
	Field  string `json:"field"`
	Member string `json:"member"`
	Want   string `json:"want"`
	Got    string `json:"got"`
	Why    string `json:"why"`
}

type alignSummaryJSON struct {
	Pools  int `json:"pools"`
	Copies int `json:"copies"`
	// Files are those that are edited, Written those that were written.
	Files   int      `json:"files"`
	Edits   int      `json:"edits"`
	Left    int      `json:"left"`
	Silent  int      `json:"silent"`
	Written []string `json:"written"`
	// EffectiveTime are the documents that owe a new effective time.
	EffectiveTime []alignOwedJSON `json:"effectiveTime"`
}

type alignOwedJSON struct {
	File string `json:"file"`
	Pool string `json:"pool"`
}

func (a *aligner) writeJSON(out io.Writer) error {
	j := alignJSON{Schema: report.SchemaVersion, Tool: alignToolJSON{"poolproof", version()}, Edits: []alignEditJSON{}, Left: []alignLeftJSON{}}
	j.Summary = alignSummaryJSON{Files: len(a.files), Edits: a.edits(), Left: len(a.left), Silent: a.silent, Written: []string{}, EffectiveTime: []alignOwedJSON{}}
	if a.result != nil {
		j.Summary.Pools, j.Summary.Copies = a.result.Pools, a.result.Copies
	}
	valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	for _, f := range a.files {
		if f.written {
			j.Summary.Written = append(j.Summary.Written, valid(f.path))
		}
		for i := range f.edits {
			e, p := &f.edits[i], &f.places[i]
			j.Edits = append(j.Edits, alignEditJSON{string(p.Side), valid(p.File), p.Line, p.Column, p.EndLine, p.EndColumn, report.Bound(e.Pool), report.Bound(e.Env),
				itemOrNone(e.Item), valid(f.replaced(i)), valid(e.New), report.Bound(e.Settles.En)})
		}
	}
	for i := range a.left {
		l := &a.left[i]
		j.Left = append(j.Left, alignLeftJSON{string(l.at.Side), valid(l.at.File), l.at.Line, l.at.Column, report.Bound(l.pool), report.Bound(l.env), itemOrNone(l.item),
			report.Bound(l.field), report.Bound(l.member), report.Bound(l.want), report.Bound(l.got), report.Bound(l.why.En)})
	}
	for _, o := range a.owing() {
		j.Summary.EffectiveTime = append(j.Summary.EffectiveTime, alignOwedJSON{valid(o.file), report.Bound(o.pool)})
	}
	return report.EncodeJSON(out, &j)
}

func itemOrNone(i schema.Item) string {
	if i == schema.NoItem {
		return ""
	}
	return i.String()
}
