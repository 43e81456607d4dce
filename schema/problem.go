package schema

// Problem is what a reader found wrong in a file, before anybody weighed it. The policy gives it its severity, the
// manifest may change that, and exceptions may silence it.
type Problem struct {
	Rule string // "source/syntax"
	At   Span
	// Severity overrides the rule's default where the case is lighter or heavier; zero keeps it.
	Severity Severity
	Pool     string // empty: the file as a whole
	Item     Item
	Field    string // path inside the item, or of the file
	Member   string
	Text     Text
	Hint     Text
	Got      string
	Want     string
	Related  []Note
}

// Note points at a second place that takes part in a problem, in the same file.
type Note struct {
	At    Span
	Label Text
}

// Status says how a finding relates to the change under review.
type Status string

// The statuses. check marks every finding as new.
const (
	New        Status = "new"
	Existing   Status = "existing"
	Suppressed Status = "suppressed"
)

// Related is a place of another copy that takes part in a finding.
type Related struct {
	Place
	Value string
	Label Text
	Truth bool
}

// Finding is a judged problem.
type Finding struct {
	Rule     string
	Severity Severity
	Pool     string
	Env      string
	// Also are further environments of which the same is said of the same place, and which have no finding of their own.
	Also    []string
	Item    Item
	Field   string
	Member  string
	Message Text
	Hint    Text
	At      Place
	Related []Related
	Got     string
	Want    string
	// Truth names the row of the table that decided, e.g. "members: gateway".
	Truth       string
	Fingerprint string
	Status      Status
	// Judgement marks engineering judgements, which in-file markers may silence.
	Judgement bool
	// SuppressedBy says which exception or marker silenced it; what a marker silenced starts with MarkerBy.
	SuppressedBy string
}

// The words that SuppressedBy starts with, before the name of who asked: an exception of the manifest or of a change
// order, or a marker in the file itself.
const (
	ExceptionBy = "exception by "
	MarkerBy    = "marker by "
)
