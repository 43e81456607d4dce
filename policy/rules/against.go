package rules

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Against returns how a copy differs from the copies that count in this pool: what Divergences would hold of it if it were
// one of the pool's. Where nothing counts, or the copy's side decides itself or may not keep the item, it returns nothing;
// nor does it return what cannot be compared.
func (p *Pool) Against(c *schema.Copy) []reconcile.Divergence {
	var out []reconcile.Divergence
	for _, item := range schema.Reconciled() {
		row := &p.Rows[item]
		truth := p.Truth(item)
		switch {
		case truth == nil, !c.States(item), c.Side == row.Side, c.Side == schema.Live,
			item == schema.Probe && len(row.Executors) > 1,
			item == schema.Probe && row.Executor != "" && c.Side != schema.Doc,
			c.Side == schema.Order && row.Side != schema.Order:
			continue
		}
		for _, d := range p.differences(item, truth, c) {
			if d.Kind != reconcile.CannotCompare {
				out = append(out, d)
			}
		}
	}
	return out
}
