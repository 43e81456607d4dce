package sources

import (
	"github.com/poolproof/poolproof/schema"
)

// Input is one file to read. Adapters read nothing else: what they need besides comes through Sibling.
type Input struct {
	// Path is the file's path from the root, with '/'.
	Path string
	Data []byte
	// Source is the manifest's entry that the file belongs to; never nil.
	Source *schema.Source
	// Vars are the manifest's values for placeholders.
	Vars map[string]string
	// Vocabulary adds document words to known meanings.
	Vocabulary map[string][]string
	// Sibling reads another file of the same folder by its base name. The error wraps fs.ErrNotExist where there is
	// none. It is nil where a file stands alone (standard input).
	Sibling func(base string) ([]byte, error)
}

// Result is what an adapter understood of a file. A file may give copies and problems at once: what is broken never
// hides what is whole.
type Result struct {
	Copies []schema.Copy
	Orders []schema.ChangeOrder
	// Problems belong to the file as a whole.
	Problems []schema.Problem
	// LeftOut counts problems that were found and are not among those of the file or its copies, since there are more than
	// MaxProblems; see Tally.
	LeftOut int
}

// Report adds a file-wide problem.
func (r *Result) Report(p schema.Problem) { r.Problems = append(r.Problems, p) }

// Confidence says how sure an adapter is that a file is of its format.
type Confidence int

// The levels of confidence. Unlikely keeps the adapter out; Likely rests on names and shapes that other formats could
// share; Certain on something that only this format has.
const (
	Unlikely Confidence = iota
	Possible
	Likely
	Certain
)

// Adapter reads one format. It keeps no state, and is safe for concurrent use.
type Adapter struct {
	// Name is the format's name in manifests.
	Name string
	// Sides are those that the format can stand on, the usual one first.
	Sides []schema.Side
	// Version changes whenever the same bytes could give another result; it is part of cache keys.
	Version int
	// Profile is the engine whose defaults apply where the manifest names none; empty for formats without an engine.
	Profile string
	// Detect judges a file by path and content, without reading it whole.
	Detect func(path string, data []byte) Confidence
	// Read extracts everything that the file says.
	Read func(in Input) Result
	// Reads: the adapter may call Input.Sibling, so that the result depends on more than the file.
	Siblings bool
}
