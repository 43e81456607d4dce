package rules

import "github.com/poolproof/poolproof/schema"

func evidenceUnapproved() Rule {
	return told("unapproved", schema.Warning, "a change order of the change has no approval that is bound to it by digest", "随变更提交的变更单没有以摘要绑定的审批")
}
