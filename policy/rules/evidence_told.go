package rules

import "github.com/poolproof/poolproof/schema"

// told makes a rule that package evidence judges, which sees both ends of a change; the rule gives its findings their
// weight, page and exceptions.
func told(id string, severity schema.Severity, en, zh string) Rule {
	return Rule{ID: "evidence/" + id, Severity: severity, Title: schema.Text{En: en, Zh: zh}}
}

// evidenceRules lists them.
func evidenceRules() []Rule {
	return []Rule{
		evidenceMassRemoval(),
		evidenceMissing(),
		evidenceNoBaseManifest(),
		evidenceNoDrill(),
		evidenceNoEffectiveTime(),
		evidenceNotInOrder(),
		evidenceNotTogether(),
		evidenceRulesChanged(),
		evidenceSelfApproved(),
		evidenceStale(),
		evidenceUnapproved(),
		evidenceUnverified(),
		evidenceWrongSide(),
	}
}
