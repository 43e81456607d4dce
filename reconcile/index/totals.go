package index

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Totals is what a tree holds.
type Totals struct {
	// Files is how many different files there are; one that several sources read counts once.
	Files int
	// Sides counts the copies.
	Sides map[schema.Side]int
	// Formats and Sources count the readings, by format and by source.
	Formats map[string]int
	Sources []int

	paths map[string]bool
	sides []schema.Side // of the sources
}

// Totals counts the files, the copies by side, the readings by format and those of each source.
func (x *Index) Totals() Totals {
	t, copies := totals(x.sides, len(x.entries)), map[bound]bool{}
	for _, e := range x.entries {
		t.count(e.Path, e.Source, e.Format, e.Copies+x.documents(e, copies))
	}
	return t.done()
}

// TotalsOf is Totals of the index of some files, without the copies: these are known when they are paired.
func TotalsOf(m *schema.Manifest, files []*load.File) Totals {
	t := totals(New(m).sides, len(files))
	for _, f := range files {
		t.count(f.Path, f.Source, f.Format, 0)
	}
	return t.done()
}

func totals(sides []schema.Side, room int) Totals {
	return Totals{Sides: map[schema.Side]int{}, Formats: map[string]int{}, Sources: make([]int, len(sides)), paths: make(map[string]bool, room), sides: sides}
}

func (t *Totals) count(path string, source int, format string, copies int) {
	t.paths[path] = true
	if format != "" {
		t.Formats[format]++
	}
	if source >= len(t.sides) {
		return
	}
	t.Sources[source]++
	if copies > 0 {
		t.Sides[t.sides[source]] += copies
	}
}

func (t Totals) done() Totals {
	t.Files, t.paths, t.sides = len(t.paths), nil, nil
	return t
}
