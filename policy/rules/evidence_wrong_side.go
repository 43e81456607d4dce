package rules

import "github.com/poolproof/poolproof/schema"

func evidenceWrongSide() Rule {
	return told("wrong-side", schema.Error, "the change edits a copy that does not decide, away from the one that does", "变更修改了非真相方的副本，使其偏离真相方")
}
