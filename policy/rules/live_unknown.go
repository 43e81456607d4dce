package rules

import "github.com/poolproof/poolproof/schema"

// liveUnknown is told by package live of policy alone, which asks the running gateway; nothing in the files shows it.
func liveUnknown() Rule {
	return Rule{
		ID: "live/unknown", Severity: schema.Warning,
		Title: schema.Text{En: "nobody knows what the running gateway runs", Zh: "无法得知运行中的网关的配置"},
	}
}
