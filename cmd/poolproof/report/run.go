package report

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Run is what one command found out, ready to be written. Renderers only read it, so one run can be rendered in several
// formats at once.
type Run struct {
	// Tool and Version name the program, Command the command that ran, without its flags ("check").
	Tool, Version, Command string
	// Now is what the run took for today when it judged exceptions and orders; zero where time played no part.
	Now time.Time
	// Lang is the language of the formats for people, "en" or "zh"; empty is English.
	Lang string
	// Root is the absolute path of the folder that paths in findings are relative to; empty where there is none.
	Root    string
	Summary Summary
	// Findings are in the order in which they are shown, with the positions that Locate fills in. Messages need not
	// name the pool: every renderer shows it.
	Findings []schema.Finding
	// Obligations is what the change owes, for ci; nil for commands that do not ask.
	Obligations []Obligation
	// Drills are the dry-runs of the pools that a change touches, for ci.
	Drills []Drill
	// Rule describes a rule; a nil function, or false for an unknown rule, leaves the description out.
	Rule func(id string) (RuleInfo, bool)
	// Source returns the text of a place's file, for the source lines of a report; nil leaves them out.
	Source Source
	// Fails reports whether a finding makes the run fail, for formats that know passed and failed only. Nil means every
	// error that is new.
	Fails func(*schema.Finding) bool
}

// Source returns the whole text of the file that a place names, at the place's revision. ok is false where it is not to
// be had. Renderers ask once for each place, so it should keep what it read.
type Source func(p schema.Place) (text []byte, ok bool)

// Summary says what a run looked at, and counts what it found.
type Summary struct {
	// Pools and Copies count the pools and the copies of them that were judged, Files the files that were read, Rules
	// the rules that were applied.
	Pools, Copies, Files, Rules int
	// Errors, Warnings and Infos count the findings that are not suppressed, Suppressed the others; Count fills them.
	Errors, Warnings, Infos, Suppressed int
	// Sides counts the copies of each side.
	Sides map[schema.Side]int
	// Formats counts the files of each format, in the order in which reports show them.
	Formats []FormatCount
	// Skipped lists what was not looked at, and why.
	Skipped []Skip
	// Discovered says that no manifest was found, so that sources and formats were guessed from content.
	Discovered bool
	// Notes are further facts about the run as a whole: no pool was touched, the cache was dropped, and why.
	Notes []schema.Text
	// Failed says why the run fails whatever it found: nothing, or not all that was asked for, could be judged. Reports lead
	// with it, since a number of findings would read as good news. Nil where everything was judged.
	Failed *schema.Text
}

// FormatCount is the number of files that were read in one format.
type FormatCount struct {
	Name  string
	Files int
}

// Skip is one thing that was not looked at.
type Skip struct {
	What string
	Why  schema.Text
}

// Count sets the four numbers of findings from the findings themselves.
func (s *Summary) Count(findings []schema.Finding) {
	s.Errors, s.Warnings, s.Infos, s.Suppressed = 0, 0, 0, 0
	for i := range findings {
		switch f := &findings[i]; {
		case f.Status == schema.Suppressed:
			s.Suppressed++
		case f.Severity == schema.Error:
			s.Errors++
		case f.Severity == schema.Info:
			s.Infos++
		case f.Severity != schema.Off:
			s.Warnings++
		}
	}
}

// Obligation is what one side owes because another one changed.
type Obligation struct {
	Pool string
	// Item is an item's name; "pool" for a copy as a whole, "effective" for the effective time of a document.
	Item    string
	Changed schema.Side
	Owes    schema.Side
	// PaidBy says what paid it ("tree", "order", "exception"); empty means that it is unpaid.
	PaidBy string
	// Ref names the order, commit or exception that paid.
	Ref string
}

// RuleInfo describes a rule to the people who meet it in a report.
type RuleInfo struct {
	ID        string
	Title     schema.Text
	Severity  schema.Severity // by default
	Judgement bool
	Page      string // Markdown, in English
}

// Options say how to write, not what.
type Options struct {
	// Color allows terminal colours; only the console has them.
	Color bool
	// Width is the number of terminal cells a line of source may take; 0 means 100, and less than 40 counts as 40.
	Width int
	// Verbose adds what is usually left out: suppressed findings, values and fingerprints, everything that was skipped.
	Verbose bool
	// Quiet leaves out everything but findings, so that a clean run prints nothing.
	Quiet bool
	// MaxBytes bounds a Markdown report, for sites that refuse longer texts; 0 means no bound. What does not fit is
	// counted. Bounds below 1,000 count as 1,000.
	MaxBytes int
	// Marker is a hidden line of a Markdown report by which whoever posts it finds an earlier one again; empty for none.
	Marker string
	// Prefix is the path of the root inside its repository, without slashes around it; the formats of hosting sites
	// (github, gitlab, sarif) put it before paths. Empty where the root is the repository.
	Prefix string
}

// fails reports whether a finding makes the run fail.
func (r *Run) fails(f *schema.Finding) bool {
	if r.Fails != nil {
		return r.Fails(f)
	}
	return f.Severity == schema.Error && (f.Status == schema.New || f.Status == "")
}

// rule describes a rule; an unknown one has its identifier alone.
func (r *Run) rule(id string) RuleInfo {
	if r.Rule != nil {
		if info, ok := r.Rule(id); ok {
			info.ID = id
			return info
		}
	}
	return RuleInfo{ID: id}
}

// silenced reports whether a finding is kept for the record only.
func silenced(f *schema.Finding) bool {
	return f.Status == schema.Suppressed || f.Severity == schema.Off
}
