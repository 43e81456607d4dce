package section

import (
	"errors"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// batches reads a table with one batch of a ramp a row.
func (r *reader) batches() {
	h := r.h
	share, dwell, samples := h.column(vocabulary.Share), h.column(vocabulary.Dwell), h.column(vocabulary.MinSamples)
	if dwell < 0 {
		dwell = h.column(vocabulary.Length)
	}
	regions, priorities := h.column(vocabulary.Region), h.column(vocabulary.Priority)
	if priorities == share {
		priorities = -1
	}
	ratios := r.ratios(share)
	for i := range r.t.Rows {
		row := &r.t.Rows[i]
		if row.Flaw == None && blank(row) {
			continue
		}
		if c := row.cell(share); c.Struck && r.b.lex.Nothing(c.Text) {
			continue // a batch that is struck out is none
		} else if r.b.lex.Total(cellText(row)) && r.b.lex.Nothing(c.Text) {
			continue // the row sums up the others
		}
		d := r.draft(row)
		d.stated(schema.Ramp)
		if row.Flaw != None {
			d.shape(r.t, row)
			if row.Flaw != Loose { // a batch that says nothing keeps its place among the others
				d.quiet(d.batch(""), Cell{Text: cellText(row), At: row.At})
				d.copy.Batches = append(d.copy.Batches, schema.Batch{At: row.At})
			}
			continue
		}
		if d.copy.Batches == nil && r.pool < 0 {
			d.copy.Batches = make([]schema.Batch, 0, len(r.t.Rows))
		}
		batch := schema.Batch{At: row.At}
		said := d.share(&batch, row.cell(share), ratios)
		if d.dwell(&batch, row.cell(dwell), h.unit(dwell)) {
			said = true
		}
		if n, ok := d.amount(d.batch("minSamples"), row.cell(samples)); ok {
			batch.MinSamples, batch.SamplesAt, said = n, row.cell(samples).At, true
		}
		if text, ok := d.said(d.batch("regions"), row.cell(regions)); ok {
			batch.Regions, said = splitList(text), true
		}
		if text, ok := d.said(d.batch("priorities"), row.cell(priorities)); ok {
			batch.Priorities, said = splitList(text), true
		}
		if said {
			d.copy.Batches = append(d.copy.Batches, batch)
		}
	}
	if len(r.t.Rows) == 0 {
		r.draft(&Row{}).stated(schema.Ramp)
	}
}

// ratios reports whether a column writes shares as ratios from 0 to 1: no cell has a percent sign and none is above 1.
// A column of percentages ends at 100.
func (r *reader) ratios(column int) bool {
	if column < 0 || r.h.units[column] == vocabulary.Percent {
		return false
	}
	found := false
	for i := range r.t.Rows {
		if r.t.Rows[i].Flaw != None {
			continue
		}
		f, marked, err := r.b.lex.Share(r.t.Rows[i].cell(column).Text)
		if err == nil && (marked || f > 1) {
			return false
		}
		found = found || err == nil && f == 1
	}
	return found
}

func (h *header) unit(column int) vocabulary.Unit {
	if column < 0 {
		return 0
	}
	return h.units[column]
}

// share reads a batch's share. It reports whether the cell says anything.
func (d *draft) share(batch *schema.Batch, c Cell, ratio bool) bool {
	path := d.batch("share")
	text, ok := d.said(path, c)
	if !ok {
		return false
	}
	f, marked, err := d.lex.Share(text)
	if err != nil && d.lex.Whole(text) {
		f, marked, err = 100, true, nil
	}
	if ratio && !marked {
		f *= 100
	}
	switch {
	case errors.Is(err, vocabulary.ErrHasUnit):
		d.notACount(path, c, err)
	case err != nil:
		d.refuse(path, c, "schema/invalid", schema.Textf("share: %q is no percentage", "比例：%q 不是百分比", c.Text), schema.Text{})
	case f > 100:
		d.refuse(path, c, "schema/invalid", schema.Textf("share: %s is above 100 %%", "比例：%s 大于 100 %%", c.Text), schema.Text{})
	default:
		batch.Share, batch.HasShare, batch.ShareAt = f, true, c.At
	}
	return true
}

// dwell reads how long a batch lasts, or that a person ends it. It reports whether the cell says anything.
func (d *draft) dwell(batch *schema.Batch, c Cell, unit vocabulary.Unit) bool {
	path := d.batch("dwell")
	text, ok := d.said(path, c)
	if !ok {
		return false
	}
	if (text[0] < '0' || text[0] > '9') && d.lex.Manual(text) {
		batch.Manual, batch.DwellAt = true, c.At
		return true
	}
	v, err := d.lex.Duration(text, unit)
	if err != nil {
		d.duration(path, c, text, unit) // words what is wrong
		return true
	}
	batch.Dwell, batch.HasDwell, batch.DwellAt = v, true, c.At
	return true
}

// batch names a value of the batch that is being read.
func (d *draft) batch(leaf string) place {
	return place{list: batches, index: len(d.copy.Batches), leaf: leaf}
}
