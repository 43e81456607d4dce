package manifest

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// entry reads what the manifest says about one pool, or about all.
func (l *loader) entry(n *data.Node) schema.PoolEntry {
	e := schema.PoolEntry{
		Executor:    l.text(n.Get("executor")),
		ExecutorAt:  placeOf(n.Get("executor")),
		Severity:    l.severity(n.Get("severity")),
		Constraints: l.text(n.Get("constraints")),
		MinActive:   l.int(n.Get("minActive")),
		Owner:       l.text(n.Get("owner")),
	}
	l.each(n.Get("names"), func(p *data.Pair) {
		if e.Names == nil {
			e.Names = map[schema.Side][]string{}
		}
		for _, name := range l.oneOrMore(p.Value) {
			side := schema.Side(p.Key)
			e.Names[side] = append(e.Names[side], name.Text)
			e.NamesAt = append(e.NamesAt, schema.Written{Side: side, Text: name.Text, At: name.Place()})
		}
	})
	l.each(n.Get("truth"), func(p *data.Pair) {
		item, ok := schema.ParseItem(p.Key)
		if !ok {
			return
		}
		if e.Truth == nil {
			e.Truth = map[schema.Item]schema.TruthEntry{}
		}
		file := p.Value.Get("copy")
		e.Truth[item] = schema.TruthEntry{Side: l.text(p.Value.Get("side")), Copy: l.text(file), CopyAt: placeOf(file), Reason: l.text(p.Value.Get("reason"))}
	})
	for _, port := range l.list(n.Get("probePorts")) {
		e.ProbePorts = append(e.ProbePorts, l.int(port))
	}
	if t := n.Get("traffic"); l.file.Usable(t) {
		e.Traffic = l.traffic(t)
	}
	if a := n.Get("onAllOut"); l.file.Usable(a) {
		e.OnAllOut = l.allOut(a)
	}
	return e
}

// placeOf returns the place of a node, an unknown one where there is none.
func placeOf(n *data.Node) schema.Span {
	if n == nil {
		return schema.Span{}
	}
	return n.Place()
}

func (l *loader) traffic(n *data.Node) *schema.Traffic {
	return &schema.Traffic{
		RPS:        l.number(n.Get("rps")),
		ErrorRate:  l.number(n.Get("errorRate")),
		P50:        l.duration(n.Get("p50")),
		P99:        l.duration(n.Get("p99")),
		Interfaces: l.shares(n.Get("interfaces")),
		Regions:    l.shares(n.Get("regions")),
	}
}

func (l *loader) shares(n *data.Node) []schema.Share {
	var shares []schema.Share
	l.each(n, func(p *data.Pair) { shares = append(shares, schema.Share{Name: p.Key, Share: l.number(p.Value)}) })
	slices.SortFunc(shares, func(a, b schema.Share) int { return cmp.Compare(a.Name, b.Name) })
	return shares
}

func (l *loader) allOut(n *data.Node) *schema.AllOut {
	a := &schema.AllOut{Then: l.text(n)}
	if n.Kind != data.Map {
		return a
	}
	a.Then = l.text(n.Get("then"))
	a.AlertAfter = l.duration(n.Get("alertAfter"))
	if p := n.Get("panicBelow"); l.file.Usable(p) {
		a.PanicBelow, a.HasPanic = l.number(p), true
	}
	return a
}

// severity reads severities in file order, since later ones win.
func (l *loader) severity(n *data.Node) []schema.SeverityRule {
	var rules []schema.SeverityRule
	l.each(n, func(p *data.Pair) {
		if s, ok := schema.ParseSeverity(p.Value.Text); ok {
			rules = append(rules, schema.SeverityRule{Rule: p.Key, Severity: s, At: p.KeyAt})
		}
	})
	return rules
}

func sortPools(pools []schema.PoolEntry) {
	slices.SortStableFunc(pools, func(a, b schema.PoolEntry) int { return cmp.Compare(a.Name, b.Name) })
}
