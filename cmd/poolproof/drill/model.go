package drill

import (
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// The two sides of a comparison. What is played without one is the head.
const (
	Head = "head"
	Base = "base"
)

// The groups of runs besides the areas of the acceptance cases.
const (
	GroupScenario = "scenario"
	GroupBadDays  = "bad-days"
)

// Report is what one dry-run found out. Writing it changes nothing in it.
type Report struct {
	// Tool and Version name the program.
	Tool, Version string
	// Now is what the run took for today.
	Now time.Time
	// Lang is the language of what is written for people, "en" or "zh"; empty is English.
	Lang string
	// Command is the command line that gives this report again.
	Command []string
	// Base says what the head is compared with, as the command line named it; empty where nothing is. Revision is its
	// commit, if it is one.
	Base, Revision string
	Runs           []*Run
	Comparisons    []Comparison
	Changes        []Change
	Skipped        []Skipped
	Findings       []schema.Finding
	// Failed says why the run fails whatever it found: nothing, or not all that was asked for, could be played. Nil where
	// everything was.
	Failed *schema.Text
}

// Run is one scenario on one pool.
type Run struct {
	Pool, Env, Scenario, Group, Config, Engine string
	// File is that of the scenario, empty for built-in ones.
	File string
	// Source is the file that the settings came from, Digests what they digest to.
	Source       string
	Digests      []Digest
	Expectations []Expectation
	// Assumed is what nobody said, beyond what the engine took for granted.
	Assumed []schema.Text
	// Summary is nil where nothing could be played.
	Summary *dryrun.Summary
	// Judged: the expectations decide; else the run only reports metrics.
	Judged bool
}

// Digest is that of one item of a pool's settings.
type Digest struct{ Item, Sum string }

// Expectation is one line of verdict.
type Expectation struct {
	ID   string
	Text schema.Text
	Pass dryrun.Pass
	// Reason says why it is not applicable.
	Reason   schema.Text
	Observed schema.Text
	Place    schema.Span
}

// Comparison is one metric of one scenario before and after.
type Comparison struct {
	Pool, Env, Scenario string
	dryrun.Comparison
}

// Skipped is a pool, or a scenario, that is not played.
type Skipped struct {
	Pool, Env, Scenario, Engine string
	Why                         schema.Text
}

// Text words it.
func (s *Skipped) Text() schema.Text {
	name := s.Pool
	switch {
	case name == "":
		name = s.Scenario
	case s.Scenario != "":
		name += " / " + s.Scenario
	}
	return schema.Text{En: name + ": " + s.Why.En, Zh: name + "：" + s.Why.In("zh")}
}

// Failed reports whether an expectation of the run did not hold.
func (r *Run) Failed() bool {
	for i := range r.Expectations {
		if r.Expectations[i].Pass == dryrun.Failed {
			return true
		}
	}
	return false
}

// assumed lists what nobody said, each once.
func (r *Run) assumed() []schema.Text {
	var list []schema.Text
	seen := map[string]bool{}
	add := func(texts []schema.Text) {
		for _, t := range texts {
			if !seen[t.En] {
				seen[t.En] = true
				list = append(list, t)
			}
		}
	}
	add(r.Assumed)
	if r.Summary != nil {
		add(r.Summary.First.Assumed)
	}
	return list
}

// key tells pools apart.
func (r *Run) key() string { return r.Env + "\x00" + r.Pool }

// count is how the expectations of runs went.
type count struct{ Held, Failed, NotApplicable int }

func (c *count) add(r *Run) {
	for i := range r.Expectations {
		switch r.Expectations[i].Pass {
		case dryrun.Held:
			c.Held++
		case dryrun.Failed:
			c.Failed++
		default:
			c.NotApplicable++
		}
	}
}

// Total counts what was played of the head.
type Total struct{ Pools, Scenarios, Held, Failed, NotApplicable, Findings int }

// Total counts the runs of the head.
func (r *Report) Total() Total {
	pools := map[string]bool{}
	t := Total{Findings: len(r.Findings)}
	var c count
	for _, run := range r.Runs {
		if run.Config == Head {
			pools[run.key()] = true
			t.Scenarios++
			c.add(run)
		}
	}
	t.Pools, t.Held, t.Failed, t.NotApplicable = len(pools), c.Held, c.Failed, c.NotApplicable
	return t
}

// Seeds returns under how many seeds runs were played, at most.
func (r *Report) Seeds() int {
	n := 0
	for _, run := range r.Runs {
		if run.Summary != nil {
			n = max(n, run.Summary.Seeds)
		}
	}
	return n
}
