package section

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// kind is what a table is about.
type kind uint8

const (
	unknown    kind = iota
	memberList      // one member a row
	batchList       // one batch of a ramp a row
	settings        // a name and a value a row
	wide            // names in the header, values in one row
)

// tuning are the columns that tell a list of members from a table that merely mentions hosts.
const tuning = vocabulary.Port | vocabulary.Weight | vocabulary.Priority | vocabulary.Backup | vocabulary.State | vocabulary.Role | vocabulary.MaxConnections

// kind tells what a table is about, by its header and by the item that a comment binds it to.
func (b *Builder) kind(t *Table, h *header, bound schema.Item) kind {
	switch bound {
	case schema.Members:
		if h.member() >= 0 || h.has(vocabulary.Provider|vocabulary.Model) {
			return memberList
		}
		return unknown
	case schema.Ramp:
		if h.has(vocabulary.Share | vocabulary.Dwell) {
			return batchList
		}
	}
	isBatches := h.has(vocabulary.Batch) && h.has(vocabulary.Share|vocabulary.Region|vocabulary.Priority) ||
		h.has(vocabulary.Dwell) && h.has(vocabulary.Share)
	switch {
	case bound != schema.NoItem && bound != schema.Ramp:
	case h.has(vocabulary.Endpoint|vocabulary.Address|vocabulary.Host) && h.has(tuning) && !h.has(vocabulary.Dwell):
		return memberList
	case isBatches && (b.shares(t, h) || !h.has(vocabulary.Share)):
		return batchList
	case h.member() >= 0 && (h.has(tuning) || endpoints(t, h.member())) && !h.has(vocabulary.Value|vocabulary.Default):
		return memberList
	case h.has(vocabulary.Provider) && h.has(vocabulary.Model) || h.has(vocabulary.Model) && h.has(vocabulary.Weight|vocabulary.Priority):
		return memberList
	}
	switch {
	case h.has(vocabulary.Value | vocabulary.Default), h.blank && len(t.Header) == 2:
		return settings
	case (len(t.Rows) == 1 || h.has(vocabulary.Pool)) && b.parameters(t, h) >= 2:
		return wide
	}
	return unknown
}

// shares reports whether any cell of a column of shares is one: steps of a runbook may have a column Traffic too. Rows
// that cannot be read prove nothing.
func (b *Builder) shares(t *Table, h *header) bool {
	sound := 0
	for i := range t.Rows {
		if t.Rows[i].Flaw != None {
			continue
		}
		sound++
		text, _ := schema.Fold(t.Rows[i].cell(h.column(vocabulary.Share)).Text)
		if _, _, err := b.lex.Share(text); err == nil || !plain(text) {
			return true
		}
	}
	return sound == 0
}

// endpoints reports whether a column holds addresses and nothing else: IP addresses, URLs, or hosts with a port. Bare
// names could be anything.
func endpoints(t *Table, column int) bool {
	found := false
	for i := range t.Rows {
		text := t.Rows[i].cell(column).Text
		if text == "" || t.Rows[i].Flaw != None {
			continue
		}
		e, ok := schema.SplitEndpoint(text)
		if !ok || e.Port == 0 && e.Scheme == "" && !schema.IsAddress(e.Host) {
			return false
		}
		found = true
	}
	return found
}

// Table reads a table. What it means goes to the copy of its section, of the comment that binds it, or of the pools
// that a column names.
func (b *Builder) Table(depth int, t *Table) {
	b.leave(depth)
	m, item := b.marked(), schema.NoItem
	at := b.top()
	if b.pending != nil { // a comment for the whole section says whose it is, not what each table of it is about
		item = b.pending.item
	}
	b.pending, b.sections[at].empty = nil, false
	h := b.header(t)
	k := b.kind(t, h, item)
	if k == unknown {
		if item != schema.NoItem {
			b.draft(m, nil).copy.Report(notThatTable(t, item))
		} else {
			b.misspelt(m, t, h, k)
		}
		return
	}
	if item == schema.NoItem {
		item = b.sections[at].item
	}
	r := reader{b: b, t: t, h: h, marker: m, pool: h.column(vocabulary.Pool), within: item}
	if m != nil && m.pool.Text != "" { // a comment binds outright
		r.pool = -1
	}
	if t.Flaw != None {
		r.draft(&Row{}).copy.Report(badTable(t))
		return
	}
	defer b.misspelt(m, t, h, k)
	switch k {
	case memberList:
		r.members()
	case batchList:
		r.batches()
	case settings:
		r.settings()
	case wide:
		r.wide()
	}
}

// reader reads one table.
type reader struct {
	b      *Builder
	t      *Table
	h      *header
	marker *marker
	pool   int         // the column that names pools, -1 if there is none
	within schema.Item // what the heading or the comment says the table is about
	last   *draft
	named  string // the pool that last belongs to
}

// draft returns the copy that a row belongs to.
func (r *reader) draft(row *Row) *draft {
	name := row.cell(r.pool)
	if r.last != nil && (r.pool < 0 || name.Text == r.named || name.Text == "") {
		return r.last
	}
	var pool *Cell
	if r.pool >= 0 && name.Text != "" {
		pool = &name
	}
	r.named = name.Text
	r.last = r.b.draft(r.marker, pool)
	r.last.table = r.t.At
	return r.last
}
