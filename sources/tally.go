package sources

import "github.com/poolproof/poolproof/schema"

// MaxProblems is how many problems of one file are told. A file that has more is wrong as a whole, and a report that
// lists them all is read by nobody.
const MaxProblems = 200

// Tally lets an adapter keep no more problems than are told, and one more that shows where the rest starts. Light and
// heavy problems are counted apart, so that a flood of warnings drowns no error. The zero Tally has counted none.
type Tally struct {
	light, heavy int
	// LeftOut is how many problems were found beyond those.
	LeftOut int
}

// Room reports whether a problem of this severity is to be kept, and counts it.
func (t *Tally) Room(s schema.Severity) bool {
	n := &t.heavy
	if s < schema.Error {
		n = &t.light
	}
	if *n > MaxProblems {
		t.LeftOut++
		return false
	}
	*n++
	return true
}

// Weight returns how heavy a problem is by what it says of itself, an error unless it says less.
func Weight(p *schema.Problem) schema.Severity {
	switch {
	case p.Severity != schema.DefaultSeverity:
		return p.Severity
	case p.Rule == "source/unresolved" || p.Rule == "source/skipped":
		return schema.Info
	}
	return schema.Error
}
