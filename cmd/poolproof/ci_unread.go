package main

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/schema"
)

// incomplete says in the reports what the repository lacks of the files that had to be compared. Where no finding fails the run
// anyway, it could not check, and the error says so: what nobody could read is no pass.
func incomplete(run *report.Run, c *change.Change) error {
	if c.Unread == nil {
		return nil
	}
	text := c.Unread.Text()
	if slices.ContainsFunc(run.Findings, func(f schema.Finding) bool { return run.Fails(&f) }) {
		run.Summary.Notes = append(run.Summary.Notes, text)
		return nil
	}
	run.Summary.Failed = &text
	return notChecked("%w", c.Unread)
}
