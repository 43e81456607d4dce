package rules

import "github.com/poolproof/poolproof/schema"

func probeDiffers() Rule {
	return Rule{ID: "probe/differs", Severity: schema.Error, Pool: differs(schema.Probe),
		Title: schema.Text{En: "a document describes another probe than the one that is executed", Zh: "文档描述的探测与实际执行的不同"}}
}
