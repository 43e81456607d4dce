package rules

import "github.com/poolproof/poolproof/schema"

func evidenceRulesChanged() Rule {
	return told("rules-changed", schema.Info, "the change alters the rules that changes are judged by", "变更修改了评判变更所用的规则")
}
