package rules

import "github.com/poolproof/poolproof/schema"

func evidenceNoEffectiveTime() Rule {
	return told("no-effective-time", schema.Error, "members change and the document's effective time does not", "成员变更而文档的生效时刻没有更新")
}
