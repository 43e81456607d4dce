package rules

import "github.com/poolproof/poolproof/schema"

func evidenceUnverified() Rule {
	return told("unverified", schema.Warning, "evidence could not be looked up", "证据无法查证")
}
