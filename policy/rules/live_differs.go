package rules

import "github.com/poolproof/poolproof/schema"

// liveDiffers is told by package live of policy alone, which asks the running gateway; nothing in the files shows it.
func liveDiffers() Rule {
	return Rule{
		ID: "live/differs", Severity: schema.Error,
		Title: schema.Text{En: "the running gateway uses another value than its file", Zh: "运行中的网关与其文件取值不同"},
	}
}
