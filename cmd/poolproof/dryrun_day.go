package main

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/timeline"
	"github.com/poolproof/poolproof/schema"
)

// groupTimeline is the group of the day of three endpoints.
const groupTimeline = "timeline"

// day plays the day of three endpoints if it is asked for by name. It has a pool of its own, so that it needs none here; it
// shows what a choice of settings costs and judges nothing. alone reports that nothing else is asked for.
func (d *dry) day(args []string) (alone bool, err error) {
	if !matchesName(d.flags.scenarios, timeline.Name) {
		return false, nil
	}
	plays, err := timeline.Run()
	if err != nil {
		return false, fmt.Errorf("playing %s: %w", timeline.Name, err)
	}
	for i := range plays {
		p := &plays[i]
		d.runs = append(d.runs, &drill.Run{
			Pool: fmt.Sprintf("%s, %s for %s", timeline.Name, p.AllOut, schema.FormatDuration(p.TTL)), Scenario: timeline.Name, Group: groupTimeline,
			Config: drill.Head, Engine: "blacklist", Summary: p.Summary,
			Expectations: []drill.Expectation{{ID: timeline.Name, Text: p.Words(), Pass: dryrun.Held,
				Observed: schema.Textf("refused %d requests, %s after the link was well", "拒绝 %d 个请求，其中链路恢复后持续 %s", p.Refused, schema.FormatDuration(p.Wasted.Round(time.Millisecond)))}},
		})
	}
	return len(args) == 0 && len(d.flags.scenarios) == 1, nil
}
