package rules

import "github.com/poolproof/poolproof/schema"

func evidenceStale() Rule {
	return told("stale", schema.Error, "a change order names evidence that does not hold", "变更单所写的证据与事实不符")
}
