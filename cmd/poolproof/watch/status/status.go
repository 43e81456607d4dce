// Package status holds what a watching poolproof knows at one moment, for those who show it.
package status

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/schema"
)

// Snapshot is the state after one cycle. It is published as a whole and never changes; what it points at is shared with
// other snapshots and must not be changed either.
type Snapshot struct {
	// At is when it was made.
	At      time.Time
	Version string // of poolproof
	Lang    string // "en" or "zh": the manifest's language of alerts
	// Root is the watched folder, Manifest the file in it; empty where none was found.
	Root, Manifest string
	Discovered     bool
	Started        time.Time
	// Every is the pace of looks at everything. A scan that completed three times as long ago is too old.
	Every time.Duration

	Scan   Scan
	Counts Counts
	// Pools are sorted by name and environment.
	Pools []*Pool
	// Loose are findings of no pool: of files, of the manifest. Sorted by place.
	Loose []schema.Finding
	// Drifts are sorted: graver first, then older.
	Drifts   []Drift
	Gateways []Gateway // in the order of the manifest
	Sinks    []alert.Status
	Watcher  Watcher
	// Errors are what is wrong with the watching itself, in the order of their names.
	Errors []Error
	Totals Totals
}

// Scan is what is known of looking at files.
type Scan struct {
	// Completed is when the last look ended that succeeded, at some files or at all; zero before the first one.
	Completed time.Time
	// Full is when the last look at everything ended that succeeded, FullTook how long it took.
	Full     time.Time
	FullTook time.Duration
	// Took is how long the last look took, from the end of the debounce to the hand-over of alerts. Files is how many
	// changed files it was about, 0 for a look at everything.
	Took  time.Duration
	Files int
	// FailingSince is when looks began to fail; zero while they succeed.
	FailingSince time.Time
}

// Counts count what there is. The findings are those that no exception silences.
type Counts struct {
	Files, Pools, Copies    int
	Sides                   map[schema.Side]int
	Errors, Warnings, Infos int
	Suppressed              int
	Skipped                 int
	// Drifts are all that last, Told those of which the sinks were told, Held those at which nobody can look now.
	Drifts, Told, Held int
}

// Pool is one pool, its copies and what is wrong with it.
type Pool struct {
	Name, Env, Owner string
	Copies           []Copy
	Findings         []schema.Finding // sorted by severity and rule, located
}

// Copy is one copy of a pool.
type Copy struct {
	Side   schema.Side
	File   string
	Format string
}

// Drift is one difference that lasts.
type Drift struct {
	alert.Event
	// Identity is what stays the same while values change, and when it comes again.
	Identity string
	Told     bool
	// Held: nobody can look whether it still lasts.
	Held bool
}

// Gateway is one running gateway.
type Gateway struct {
	Name  string
	Every time.Duration
	// Asked is when it was asked last, Answered when it last gave a whole answer; zero: never.
	Asked, Answered time.Time
	Took            time.Duration
	// UnknownSince is since when nobody knows what it runs; zero while it answers. Reason says why.
	UnknownSince time.Time
	Reason       schema.Text
	Pools        int // in its last answer
	Asks, Failed uint64
}

// Watcher says how files are watched.
type Watcher struct {
	Folders   int
	Polling   bool
	Why       string // it is polling
	Overflows int
}

// Error is something wrong with the watching itself.
type Error struct {
	// Name is one of a fixed set: "manifest", "scan", "state", "watch", "gateway", "sinks", "alerts", "panic".
	Name  string
	Text  schema.Text
	Since time.Time
}

// Totals count since the start.
type Totals struct {
	// Cycles are looks at files or answers of gateways that were judged.
	Cycles, FullScans, FailedScans uint64
	// Durations are those of the looks at files.
	Durations        Histogram
	Began, Ended     uint64 // drifts
	StateFailures    uint64
	ManifestFailures uint64
	Panics           uint64
}
