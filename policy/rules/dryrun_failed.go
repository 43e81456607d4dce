package rules

import "github.com/poolproof/poolproof/schema"

// dryrunFailed is told by the dry-run alone, which plays the pool; nothing in the files shows it.
func dryrunFailed() Rule {
	return Rule{
		ID: "dryrun/failed", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "an acceptance case or an expectation does not hold in the dry-run", Zh: "验收用例或预期在演练中不成立"},
	}
}
