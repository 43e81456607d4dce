package schema

import "strings"

// Path names a setting inside a pool: "probe.interval". Paths of the model are those that the CUE schema has; formats
// also report settings outside it under their own names ("balance"), which inspect shows and nothing compares.
type Path string

// ItemOf returns the item that a path belongs to, NoItem for paths outside the model's items.
func (p Path) Item() Item {
	head, _, _ := strings.Cut(string(p), ".")
	if i := strings.IndexByte(head, '['); i >= 0 {
		head = head[:i]
	}
	item, _ := ParseItem(head)
	return item
}

// Leaf returns the path without its item: "interval" of "probe.interval".
func (p Path) Leaf() string {
	_, leaf, ok := strings.Cut(string(p), ".")
	if !ok {
		return string(p)
	}
	return leaf
}

// Entry describes a scalar path of the model.
type Entry struct {
	Path Path
	Kind Kind
	// Enum lists the allowed texts, nil for any.
	Enum []string
	// Compared says whether the path takes part in comparison and digest. A path that only annotates (who executes, what
	// a real fault looks like) does not.
	Compared bool
}

// Two paths need a word: retry.attempts counts the attempts after the first one, and onAllOut is a single value in files
// whose forms are told apart here as onAllOut.then, .panicBelow and .alertAfter.

// Model returns the scalar paths of a pool outside its members, ramp batches and stops, in report order. A test holds
// it equal to the CUE schema.
func Model() []Entry { return model }

var granularities = []string{"address", "interface", "region", "business"}

// The table is data: nothing writes to it after start.
var model = []Entry{
	{"probe.executor", TextKind, nil, false},
	{"probe.protocol", TextKind, nil, true},
	{"probe.method", TextKind, nil, true},
	{"probe.path", TextKind, nil, true},
	{"probe.port", Int, nil, true},
	{"probe.host", TextKind, nil, true},
	{"probe.expect.statuses", List, nil, true},
	{"probe.expect.body", TextKind, nil, true},
	{"probe.interval", Duration, nil, true},
	{"probe.intervals.fast", Duration, nil, true},
	{"probe.intervals.down", Duration, nil, true},
	{"probe.intervals.idle", Duration, nil, true},
	{"probe.timeout", Duration, nil, true},
	{"probe.jitter", Number, nil, true},
	{"probe.rise", Int, nil, true},
	{"probe.fall", Int, nil, true},

	{"decision.granularity", TextKind, granularities, true},
	{"decision.scope", TextKind, []string{"line", "line-on-address"}, true},
	{"decision.regionFrom", TextKind, nil, true},
	{"decision.window", Duration, nil, true},
	{"decision.minSamples", Int, nil, true},
	{"decision.manifestsIn", Duration, nil, true},
	{"decision.errorRatio", Number, nil, true},
	{"decision.consecutive", Int, nil, true},
	{"decision.slow.threshold", Duration, nil, true},
	{"decision.slow.confirmations", Int, nil, true},
	{"decision.slow.dedupe", Duration, nil, true},
	{"decision.counts", List, nil, true},
	{"decision.roles.business", TextKind, []string{"judge", "review", "off"}, true},
	{"decision.roles.probe", TextKind, []string{"judge", "prescreen", "off"}, true},
	{"decision.roles.external", TextKind, []string{"judge", "review", "off"}, true},
	{"decision.externalClears", Bool, nil, true},
	{"decision.record", Bool, nil, true},

	{"cooldown.duration", Duration, nil, true},
	{"cooldown.max", Duration, nil, true},
	{"cooldown.growth.kind", TextKind, []string{"constant", "linear", "exponential"}, true},
	{"cooldown.growth.factor", Number, nil, true},
	{"cooldown.growth.decays", Bool, nil, true},
	{"cooldown.jitter", Number, nil, true},
	{"cooldown.startsAt", TextKind, []string{"drained", "ejected", "probe-passed"}, true},
	{"cooldown.exit", TextKind, []string{"same-as-entry", "probe", "timer"}, true},
	{"cooldown.granularity", TextKind, granularities, true},
	{"cooldown.typicalFault", Duration, nil, false},
	{"cooldown.probeLease", Duration, nil, true},
	{"cooldown.repeat.limit", Int, nil, true},
	{"cooldown.repeat.within", Duration, nil, true},
	{"cooldown.repeat.then", TextKind, []string{"manual"}, true},
	{"cooldown.manual.allowed", Bool, nil, true},
	{"cooldown.manual.requires", List, nil, true},
	{"cooldown.manual.restarts", Bool, nil, true},

	{"ramp.target.members", List, nil, true},
	{"ramp.target.interfaces", List, nil, true},
	{"ramp.target.regions", List, nil, true},
	{"ramp.by", TextKind, []string{"ratio", "region", "priority"}, true},
	{"ramp.window", Duration, nil, true},
	{"ramp.lowSample", TextKind, []string{"connect", "wait"}, true},
	{"ramp.rollback.to", TextKind, []string{"previous", "zero"}, true},
	{"ramp.rollback.cooldown", Duration, nil, true},
	{"ramp.suspendAfter", Int, nil, true},
	{"ramp.agreedBy", TextKind, nil, false},

	{"retry.attempts", Int, nil, true},
	{"retry.on", List, nil, true},
	{"retry.perTry", Duration, nil, true},
	{"retry.total", Duration, nil, true},
	{"retry.nonIdempotent", Bool, nil, true},
	{"retry.budget", Number, nil, true},

	{"onAllOut.then", TextKind, []string{"pass", "reject"}, true},
	{"onAllOut.panicBelow", Number, nil, true},
	{"onAllOut.alertAfter", Duration, nil, true},
}

var modelIndex = func() map[Path]int {
	m := make(map[Path]int, len(model))
	for i, e := range model {
		m[e.Path] = i
	}
	return m
}()

// EntryOf returns the model's entry for a path.
func EntryOf(p Path) (Entry, bool) {
	i, ok := modelIndex[p]
	if !ok {
		return Entry{}, false
	}
	return model[i], true
}
