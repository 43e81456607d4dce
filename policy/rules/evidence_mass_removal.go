package rules

import "github.com/poolproof/poolproof/schema"

func evidenceMassRemoval() Rule {
	return told("mass-removal", schema.Error, "most of a pool's members go at once, or too few stay, without a change order", "没有变更单而一次移除池的大部分成员，或剩余过少")
}
