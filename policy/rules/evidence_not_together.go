package rules

import "github.com/poolproof/poolproof/schema"

func evidenceNotTogether() Rule {
	return told("not-together", schema.Error, "the cooldown changes on one side only, or under two orders", "冷却只在一方变更，或分在两份变更单下变更")
}
