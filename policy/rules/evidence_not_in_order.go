package rules

import "github.com/poolproof/poolproof/schema"

func evidenceNotInOrder() Rule {
	return told("not-in-order", schema.Error, "a ramp changes without a change order that freezes it", "放量批次变更而没有变更单冻结它")
}
