package rules

import "github.com/poolproof/poolproof/schema"

func evidenceSelfApproved() Rule {
	return told("self-approved", schema.Warning, "a change order is approved by its initiator", "变更单由发起人自行审批")
}
