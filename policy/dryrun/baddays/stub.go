// Package baddays x.
package baddays

import (
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

func Names() []string { return nil }
func Scenario(name string, c *schema.Copy, t *dryrun.Traffic) (*dryrun.Scenario, schema.Text) {
	return nil, schema.Text{}
}
