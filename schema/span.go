package schema

// Span is a byte range [Start, End) of one of a copy's files. The zero Span means "no place known". Lines and columns
// are worked out from the file's text only when somebody reads the report, so a span costs twelve bytes and no scan.
type Span struct {
	Start, End uint32
	// File indexes Copy.Files; 0 is the copy's own file.
	File uint16
}

// Known reports whether the span names a place.
func (s Span) Known() bool { return s != Span{} }

// At returns the span of the bytes from start to end of file 0.
func At(start, end int) Span { return Span{Start: uint32(start), End: uint32(end)} }

// Join returns the smallest span that covers both; an unknown span adds nothing.
func Join(a, b Span) Span {
	switch {
	case !a.Known():
		return b
	case !b.Known() || a.File != b.File:
		return a
	}
	return Span{Start: min(a.Start, b.Start), End: max(a.End, b.End), File: a.File}
}

// Place is a span of a named file at a revision, with the positions that people and reports need. Line and column
// count from 1, columns in characters; 0 means that they are not known (yet).
type Place struct {
	Side      Side
	File      string
	Revision  string
	Span      Span
	Line      int
	Column    int
	EndLine   int
	EndColumn int
}
