// Package live judges drift between gateways as their files have them and as they run. The file is the truth: the running
// gateway is reloaded, or the file is corrected.
//
//	live/not-applied   the file has it, the running gateway has not
//	live/only-running  the running gateway has it, the file has not: a reload would lose it
//	live/differs       both have it, with different values
//	live/unknown       nobody knows what the gateway runs
//
// No drift is what is no configuration (health, a ramp in progress), what a controller owns (discovered members, weights
// and states that an agent sets), and what only looks different (order, spelling, units, a common factor of weights, a
// name and the address behind it).
//
// Judge is a pure function of what it is given. Findings of a gateway that could not be asked are not repeated: who keeps
// a history holds on to those whose place is that gateway (schema.Place.File is its name) until it answers again.
// Severities and exceptions of the manifest are applied by package audit.
package live

import (
	"cmp"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// Input is what is judged.
type Input struct {
	Manifest *schema.Manifest
	// Groups are the pools of the files.
	Groups []*reconcile.Group
	// Whole makes a copy of the groups whole (load.Loaded.Whole); nil where they are.
	Whole func(*schema.Copy) *schema.Copy
	// Answers are what the gateways said, each gateway once.
	Answers []gateway.Answer
	// Unread: some file of the gateway side could not be read, so a pool that no file seems to have may stand in it.
	Unread bool
	// Since says since when a gateway is unknown, by its name, for those who remember longer than a reader; it may be nil.
	Since func(name string) (time.Time, bool)
}

// Judge compares what gateways run with what their files say. The findings are sorted by pool, environment, gateway and
// item; their place is the running gateway, and the place in the file is their first related one.
func Judge(in Input) []schema.Finding {
	j := newJudge(&in)
	for i := range in.Answers {
		if a := &in.Answers[i]; a.Unreachable != nil {
			j.unknown(a)
		} else {
			j.answer(a)
		}
	}
	j.nowhere()
	out := j.reporter.Findings()
	for i := range out {
		if out[i].At.Side == schema.Live {
			out[i].At.Span = schema.Span{} // an answer has no lines
		}
	}
	slices.SortStableFunc(out, func(a, b schema.Finding) int {
		return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Env, b.Env), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.Item, b.Item))
	})
	return out
}

// row is what findings cite as the row of the source-of-truth table.
const row = "live state: the gateway's file"

type judge struct {
	in       *Input
	rules    map[string]*rules.Rule
	reporter rules.Reporter
	files    index
	// runs lists, for each copy of a file, the gateways that run its pool.
	runs map[*schema.Copy]map[string]bool
	// known lists the files of which each gateway runs some pool.
	known map[string]map[string]bool
	// whole are the gateways of which some file says which pools there are.
	whole map[string]bool
}

func newJudge(in *Input) *judge {
	j := &judge{in: in, rules: map[string]*rules.Rule{}, runs: map[*schema.Copy]map[string]bool{}, known: map[string]map[string]bool{}, whole: map[string]bool{}}
	all := rules.All()
	for i := range all {
		j.rules[all[i].ID] = &all[i]
	}
	j.files = newIndex(in)
	return j
}

// hit reports a finding at a gateway about a pool of the files; pool may be nil.
func (j *judge) hit(rule string, pool *reconcile.Group, h rules.Hit) {
	h.Truth = row
	var p *rules.Pool
	if pool != nil {
		p = &rules.Pool{Group: pool}
	}
	j.reporter.For(j.rules[rule], p)
	j.reporter.Hit(h)
}

// answer judges all pools that a gateway runs.
func (j *judge) answer(a *gateway.Answer) {
	var foreign []*schema.Copy
	for i := range a.Copies {
		c := &a.Copies[i]
		candidates := j.files.of(a, c)
		if len(candidates) == 0 {
			foreign = append(foreign, c)
			continue
		}
		best := j.closest(candidates, c)
		j.runsIt(a.Name, best)
		if best.wanted(a) {
			j.pool(a, best, c)
		}
	}
	j.foreign(a, foreign)
}

// runsIt notes that a gateway runs a pool of a file.
func (j *judge) runsIt(name string, f candidate) {
	if j.runs[f.copy] == nil {
		j.runs[f.copy] = map[string]bool{}
	}
	j.runs[f.copy][name] = true
	if j.known[name] == nil {
		j.known[name] = map[string]bool{}
	}
	j.known[name][f.copy.File()] = true
	// Endpoints that stand on their own do not tell which clusters there are.
	if f.copy.Format != "envoy" || len(j.view(f.copy).Copy.Fields) > 0 {
		j.whole[name] = true
	}
}

// pool compares one pool of a gateway with the copy of its file.
func (j *judge) pool(a *gateway.Answer, f candidate, c *schema.Copy) {
	p := &pair{judge: j, answer: a, group: f.group, file: j.view(f.copy), live: c}
	p.members()
	p.settings()
	p.ramp()
}

func (j *judge) view(c *schema.Copy) *reconcile.View {
	if j.in.Whole != nil {
		c = j.in.Whole(c)
	}
	return reconcile.NewView(c)
}
