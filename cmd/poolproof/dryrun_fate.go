package main

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/policy/dryrun/baddays"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// fated is a run in which one fault of what some members share took every member out.
type fated struct {
	run *drill.Run
	baddays.Fate
}

func (f *fated) hit(p *rules.Pool, r *rules.Reporter) {
	c, _ := cast.Choose(p)
	if c == nil {
		return
	}
	members, out := strings.Join(f.Members, ", "), schema.FormatDuration(f.AllOut.Round(time.Millisecond))
	r.Hit(rules.Hit{Copy: original(p, c), At: c.ItemAt[schema.Members], Item: schema.Members, Field: "shares", Got: "all members out for " + out,
		Text: schema.Textf("%s: one fault of %s, which %s share, takes every member of the pool out, for %s", "%s：%s（由 %s 共用）的一个故障使该池全部成员被摘除，历时 %s", f.run.Scenario, f.Common, members, out),
		Hint: schema.Textf("poolproof dryrun --pool %[1]s --scenario %[2]s -v shows what happened", "poolproof dryrun --pool %[1]s --scenario %[2]s -v 可查看经过", p.Group.Pool, f.run.Scenario)})
}
