package rules

import (
	"fmt"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// noName stands where a person has to put in a name.
const noName = "NAME"

// sideName is what a side calls a pool, up to spelling.
type sideName struct {
	side schema.Side
	key  string
}

// oneEntry words what the manifest has to say for a pool of the gateway and the copy of another side, which calls it
// otherwise, to be one: an entry goes by any side's name, best by the application's, and an entry that is there already is
// the one to complete. Of two entries one has to go, which the second text says.
func (n *nearNames) oneEntry(run *Run, gateway string, side schema.Side, called string) (entry string, also schema.Text) {
	a, b := n.entryOf(run, schema.Gateway, gateway), n.entryOf(run, side, called)
	switch {
	case a != nil && b != nil && a != b:
		return wordEntry(a.Name, side, called), schema.Textf("; and remove the entry %q", "；并删除条目 %q", b.Name)
	case a != nil:
		return wordEntry(a.Name, side, called), also
	case b != nil, side == schema.App && called != noName:
		name := called
		if b != nil {
			name = b.Name
		}
		return wordEntry(name, schema.Gateway, gateway), also
	}
	return wordEntry(gateway, side, called), also
}

func wordEntry(name string, side schema.Side, called string) string {
	return fmt.Sprintf("pools: {%q: {names: {%s: %q}}}", name, side, called)
}

// entryOf returns the manifest's entry of the pool that a side calls by a name, nil if there is none.
func (n *nearNames) entryOf(run *Run, side schema.Side, name string) *schema.PoolEntry {
	n.once.Do(func() { n.make(run) })
	return n.owners[sideName{side, reconcile.Key(name)}]
}

// has reports whether a side calls a pool by a name.
func (n *nearNames) has(run *Run, side schema.Side, name string) bool {
	n.once.Do(func() { n.make(run) })
	_, ok := n.owners[sideName{side, reconcile.Key(name)}]
	return ok
}
