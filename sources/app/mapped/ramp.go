package mapped

import (
	"math"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// ramp reads the batches: one for each match of "each", or one for each share where "each" is absent.
func (p *poolReader) ramp() {
	switch {
	case p.plan.rampEach != nil:
		hits, near := p.plan.rampEach.find(p.from)
		if len(hits) == 0 {
			p.copy.Unresolve("ramp.batches", p.plan.rampEach.text, near)
			return
		}
		found := make([]int, len(p.plan.batch))
		for _, h := range hits {
			p.batch(h, found)
		}
		for i, a := range p.plan.batch {
			if found[i] == 0 {
				p.copy.Unresolve(schema.Path("ramp.batches."+a.name), a.expr.text, p.copy.ItemAt[schema.Ramp])
			}
		}
	case len(p.plan.batch) > 0:
		p.columns()
	}
}

// batch reads one batch from one place.
func (p *poolReader) batch(h match, found []int) {
	b := schema.Batch{At: h.place()}
	p.copy.Touch(schema.Ramp, b.At)
	for i, a := range p.plan.batch {
		hits, _ := a.expr.from(h)
		if len(hits) == 0 || hits[0].null() {
			continue
		}
		found[i]++
		path := p.batchPath(a.name)
		if a.name == "regions" || a.name == "priorities" {
			items, _, ok := p.texts(path, hits)
			if ok && a.name == "regions" {
				b.Regions = items
			} else if ok {
				b.Priorities = items
			}
			continue
		}
		if s, ok := p.one(path, a.expr.text, hits); ok {
			p.batchValue(&b, a, path, s)
		}
	}
	p.copy.Batches = append(p.copy.Batches, b)
}

func (p *poolReader) batchPath(name string) schema.Path {
	return schema.Path("ramp.batches[" + strconv.Itoa(len(p.copy.Batches)) + "]." + name)
}

// batchValue sets one value of a batch. A value that stays unknown is noted; the batch is kept, so that the ones after
// it keep their numbers.
func (p *poolReader) batchValue(b *schema.Batch, a attribute, path schema.Path, s bind.Scalar) {
	var scratch schema.Copy
	one := p.binder
	one.Copy = &scratch
	switch a.name {
	case "share":
		lo, hi, scale := 0.0, 100.0, 1.0
		text := strings.TrimSpace(s.Text)
		if a.expr.unit.name == ratio && !strings.HasSuffix(text, "%") {
			scale = 0.01
		}
		if b.HasShare = one.Number(path, s, lo, hi, scale); b.HasShare {
			b.Share, b.ShareAt = math.Round(scratch.Fields[0].Value.Number()*1e9)/1e9, s.At
		}
	case "dwell":
		if text, ok := bind.Expand(s.Text, p.in.Vars, placeholders); ok && strings.EqualFold(strings.TrimSpace(text), "manual") {
			b.Manual, b.HasDwell, b.DwellAt = true, false, s.At
			return
		}
		scratchReader := *p
		scratchReader.binder, scratchReader.copy = one, &scratch
		scratchReader.bindDuration(path, s, &a.expr)
		if b.HasDwell = len(scratch.Fields) > 0; b.HasDwell {
			b.Dwell, b.DwellAt = scratch.Fields[0].Value.Duration(), s.At
		}
	case "minSamples":
		if n, ok := one.IntValue(path, s, 1, math.MaxInt64); ok {
			b.MinSamples, b.SamplesAt = n, s.At
		}
	case "regions", "priorities":
		if text, ok := one.Resolve(path, s); ok && a.name == "regions" {
			b.Regions = append(b.Regions, text)
		} else if ok {
			b.Priorities = append(b.Priorities, text)
		}
	}
	p.copy.Unresolved = append(p.copy.Unresolved, scratch.Unresolved...)
	p.copy.Problems = append(p.copy.Problems, scratch.Problems...)
}

// columns reads batches whose shares, dwells and samples stand in lists beside each other. A single value goes with
// every batch.
func (p *poolReader) columns() {
	columns := make([][]bind.Scalar, len(p.plan.batch))
	count := 0
	for i, a := range p.plan.batch {
		hits, near := a.expr.find(p.from)
		if len(hits) == 0 {
			p.copy.Unresolve(schema.Path("ramp.batches."+a.name), a.expr.text, near)
			continue
		}
		for _, h := range hits {
			columns[i] = append(columns[i], p.column(h)...)
		}
		count = max(count, len(columns[i]))
	}
	for i, a := range p.plan.batch {
		if n := len(columns[i]); n > 1 && n != count {
			p.binder.Refuse(schema.Path("ramp.batches."+a.name), bind.Scalar{Text: a.expr.text, At: columns[i][0].At}, "schema/invalid",
				schema.Textf("ramp: %s gives %d values for %d batches", "ramp：%s 给出 %d 个值，而批次有 %d 个", a.expr.text, n, count),
				schema.Textf("one value for each batch, or one for all", "每批一个值，或所有批次共用一个值"))
			columns[i] = nil
		}
	}
	for n := range count {
		b := schema.Batch{}
		for i, a := range p.plan.batch {
			if len(columns[i]) == 0 {
				continue
			}
			problems, unresolved := len(p.copy.Problems), len(p.copy.Unresolved)
			p.batchValue(&b, a, p.batchPath(a.name), columns[i][min(n, len(columns[i])-1)])
			if n >= len(columns[i]) { // the one value of all batches: said once
				p.copy.Problems, p.copy.Unresolved = p.copy.Problems[:problems], p.copy.Unresolved[:unresolved]
			}
			if len(columns[i]) == count && !b.At.Known() { // what goes with every batch is the place of none
				b.At = columns[i][n].At
			}
		}
		p.copy.Touch(schema.Ramp, b.At)
		p.copy.Batches = append(p.copy.Batches, b)
	}
}

// column lists the scalars of a match: of a list, or of a text with commas.
func (p *poolReader) column(h match) []bind.Scalar {
	nodes := []match{h}
	if h.node != nil && h.node.Kind == data.List {
		nodes = nil
		for _, item := range h.node.Items {
			nodes = append(nodes, match{node: item})
		}
	}
	var out []bind.Scalar
	for _, n := range nodes {
		if s, ok := scalar(n); ok {
			out = append(out, bind.Entries(p.src(s.At), s)...)
		}
	}
	return out
}
