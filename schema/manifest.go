package schema

import "time"

// Manifest is poolproof.cue, .yaml or .json: where the copies are, which of them win, and what is accepted.
type Manifest struct {
	File       string // path of the manifest in the tree, empty for a discovered one
	Sources    []Source
	Pools      []PoolEntry // sorted by name
	Defaults   PoolEntry
	Vars       map[string]string
	Aliases    map[string][]string // host name: the addresses it stands for, both in normal form
	AliasesAt  []Written           // the host names of Aliases, in the order of the file
	Severity   []SeverityRule      // later entries win
	Evidence   string              // attested, reachable, verified
	Vocabulary map[string][]string // known meaning: further document words
	Exceptions []Exception
	Live       []LiveGateway // running gateways, in the order of the file
	Alerts     Alerts
	// Discovered: no manifest was found and the sources were guessed from content.
	Discovered bool
}

// SeverityRule sets the severity of a rule or of an area ("area/*").
type SeverityRule struct {
	Rule     string
	Severity Severity
	At       Span // of the name, in the manifest
}

// Source names files of one side and how to read them.
type Source struct {
	Side     Side
	Format   string // empty: detected
	Files    []string
	Exclude  []string
	Env      string
	Profiles []string // profiles of the format (Spring), applied in order
	Profile  string   // engine and version, e.g. "haproxy-2.6"
	Repo     string
	Ref      string
	Map      *Map
	At       Span // in the manifest
}

// Map says where a home-made file holds what: paths with dotted keys, "quoted" parts, [*] for lists, .* for mappings,
// and " | ms" for a unit.
type Map struct {
	Pool     string // a fixed name; or
	PoolEach string // one pool for each match of this path,
	PoolName string // named by "key" or by a path relative to the match

	Members     string // a list of texts; or
	MembersEach string // one member for each match of this path,
	MembersMap  []MapEntry

	Probe, Decision, Cooldown, Retry []MapEntry
	RampEach                         string
	Ramp                             []MapEntry
	At                               Span
	// PoolAt, MembersAt and RampAt are the places of the entries that are paths themselves or hold "each".
	PoolAt, MembersAt, RampAt Span
}

// MapEntry maps a setting to a path expression; entries are sorted by key.
type MapEntry struct {
	Key, Expr string
	At        Span // of the expression, in the manifest
}

// Written is a name in the manifest and where it stands.
type Written struct {
	Side Side // of a pool's name; empty for others
	Text string
	At   Span
}

// PoolEntry is what the manifest says about one pool, or the defaults of all.
type PoolEntry struct {
	Name        string
	NameAt      Span              // of the pool's own name
	Names       map[Side][]string // "{env}" in a name stands for the environment
	NamesAt     []Written         // the names of Names, in the order of the file
	Executor    string
	ExecutorAt  Span
	Traffic     *Traffic
	Truth       map[Item]TruthEntry
	Severity    []SeverityRule
	Constraints string // "", "strict", "advisory"
	OnAllOut    *AllOut
	MinActive   int
	ProbePorts  []int
	Owner       string
	At          Span
}

// TruthEntry overrides a row of the source-of-truth table for one pool.
type TruthEntry struct {
	Side   string // a side, "executor", or empty: the table's own
	Copy   string // file of the copy that counts where several state the item
	CopyAt Span
	Reason string
}

// AllOut is what happens when no member is left: pass, reject, a panic line, or an alert followed by one of the two.
type AllOut struct {
	Then       string // pass or reject
	PanicBelow float64
	HasPanic   bool
	AlertAfter time.Duration
}

// Traffic is the load that judgements and dry-runs reckon with. Zero values are "not said".
type Traffic struct {
	RPS        float64
	ErrorRate  float64
	P50, P99   time.Duration
	Interfaces []Share
	Regions    []Share
}

// Share is one part of the traffic, in percent.
type Share struct {
	Name  string
	Share float64
}

// Exception is a recorded, expiring deviation.
type Exception struct {
	Rule      string
	Pool      string
	Side      Side
	Member    string
	Field     string
	Initiator string
	Saw       string
	Reclaim   string
	// Expires is the first moment at which the exception no longer holds; a written date counts to its end, UTC.
	Expires time.Time
	File    string
	At      Span
}

// ChangeOrder is the reviewed document of one change.
type ChangeOrder struct {
	File       string
	Revision   string
	ID         string
	Pools      []string
	Initiator  string
	Effective  time.Time
	Items      []OrderItem
	Ramps      []string // pools whose ramp the order freezes, sorted
	Drill      *Drill
	Approvals  []Approval
	Exceptions []Exception
	At         Span // of the front matter
	IDAt       Span
	// Digest is what approvals are bound to: the digest of the front matter without approvals and drill. Empty for an order
	// that could not be read.
	Digest string
	// Valid is false where the grammar rejects the order: it then neither freezes nor pays.
	Valid bool
}

// OrderItem is one changed item of a change order.
type OrderItem struct {
	Pool    string
	Item    string // an item's name, or "pool" for creation and removal
	Before  map[Side]string
	After   string
	Aligned map[Side]Aligned
	At      Span
}

// Aligned says how a side was brought in step: with this change, or by a commit elsewhere.
type Aligned struct {
	ThisChange                 bool
	Repo, Commit, File, Digest string
	At                         Span
}

// Drill is the recorded dry-run of an order.
type Drill struct {
	Command, Tool, Config string
	Seeds                 int
	Results               []DrillResult
	At                    Span
}

// DrillResult is one acceptance case of a drill.
type DrillResult struct {
	ID, Pass, Observed string
	At                 Span
}

// Approval is one reviewer's signature; Digest binds it to the front matter that was read.
type Approval struct {
	By     string
	Time   time.Time
	Digest string
	At     Span
}

// LiveGateway is a running gateway that watch asks what it really runs. Only gateways that the manifest names are ever
// asked.
type LiveGateway struct {
	// Gateway is the kind: "haproxy", "envoy", "apisix", "nginx-plus", "argo-rollouts".
	Gateway string
	// Address is where its administration interface answers; the forms are those of its kind.
	Address string
	// Pools are the names of the pools to ask for, as the manifest, the files or the gateway call them. Empty: all.
	Pools []string
	// Every is how often it is asked. Zero: the daemon's own pace.
	Every time.Duration
	// TokenFile is the file that holds the access token, or "env:POOLPROOF_NAME" for a variable of the environment.
	// Empty: none.
	TokenFile string
	// CAFile is the file that holds the certificates to trust. Empty: the system's.
	CAFile string
	At     Span // in the manifest
}

// Alerts say how and where drift is told. The zero value is: in English, at once, nowhere.
type Alerts struct {
	Lang string // "en" or "zh"; empty: English
	// For is how long drift must last before it is told, and be gone before its end is. Zero: no time.
	For time.Duration
	// Link is the address of the status page that messages point at; empty: none.
	Link string
	// Sinks are in the order of the file.
	Sinks []AlertSink
}

// AlertSink is one place that alerts go to. Its settings are known to the sinks alone.
type AlertSink struct {
	Kind     string // "alertmanager", "slack", ...
	Settings []AlertSetting
	At       Span // in the manifest
}

// AlertSetting is a setting of a sink: one text, or the texts of a list. Anything deeper is left out.
type AlertSetting struct {
	Key    string
	Values []string
	At     Span
}
