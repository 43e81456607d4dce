package rules

import "github.com/poolproof/poolproof/schema"

func evidenceMissing() Rule {
	return told("missing", schema.Error, "an obligation of the change is unpaid, or a copy is removed while the pool lives on", "变更所欠的同步没有证据，或副本被删除而池仍在")
}
