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
	if IsLight(s) {
		n = &t.light
	}
	if *n > MaxProblems {
		t.LeftOut++
		return false
	}
	*n++
	return true
}

// IsLight reports whether a problem says of itself that it is less than an error.
func IsLight(s schema.Severity) bool { return s == schema.Warning || s == schema.Info }
