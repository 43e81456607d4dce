package rules

import "github.com/poolproof/poolproof/schema"

func evidenceNoDrill() Rule {
	return told("no-drill", schema.Warning, "a change order that changes failover holds no drill of these settings", "改变故障切换行为的变更单没有对应设置的演练记录")
}
