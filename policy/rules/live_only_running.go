package rules

import "github.com/poolproof/poolproof/schema"

// liveOnlyRunning is told by package live of policy alone, which asks the running gateway; nothing in the files shows it.
func liveOnlyRunning() Rule {
	return Rule{
		ID: "live/only-running", Severity: schema.Error,
		Title: schema.Text{En: "the running gateway has it and no file does; a reload would lose it", Zh: "只存在于运行中的网关，文件中没有；重新加载后会丢失"},
	}
}
