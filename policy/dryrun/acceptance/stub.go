// Package acceptance x.
package acceptance

import (
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/schema"
)

type Outcome struct {
	Text     schema.Text
	Pass     dryrun.Pass
	Reason   schema.Text
	Observed string
	Summary  *dryrun.Summary
}

func IDs() []string { return nil }
func Play(id string, c *schema.Copy, t cast.Traffic, seeds int) Outcome { return Outcome{} }
