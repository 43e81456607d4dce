package rules

import "github.com/poolproof/poolproof/schema"

// liveNotApplied is told by package live of policy alone, which asks the running gateway; nothing in the files shows it.
func liveNotApplied() Rule {
	return Rule{
		ID: "live/not-applied", Severity: schema.Error,
		Title: schema.Text{En: "the gateway's file has it and the running gateway has not", Zh: "网关文件中有，而运行中的网关没有"},
	}
}
