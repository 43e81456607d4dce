package rules

import "github.com/poolproof/poolproof/schema"

func cooldownDiffers() Rule {
	return Rule{ID: "cooldown/differs", Severity: schema.Error, Pool: differs(schema.Cooldown),
		Title: schema.Text{En: "a copy states another cooldown than the gateway's switch controller", Zh: "副本的冷却与网关切换控制器不同"}}
}
