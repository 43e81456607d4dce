//go:build linux

package real

import (
	"context"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// Proof is what came of a case.
type Proof struct {
	Case  *Case
	Seen  *Observed
	Found *Comparison
	// Failures are the differences, and the expectations that the program or the dry-run did not fulfil.
	Failures []string
	// Again tells of a play before this one that failed while the machine was late.
	Again string
	Took  time.Duration
}

// calm is how late a machine may be before what is seen on it says nothing about the program.
const calm = 15 * time.Millisecond

// Prove plays a case on its program and compares. A play that fails on a machine that was late is played once more,
// with the same tolerances, and the proof says so.
func Prove(ctx context.Context, dir string) (*Proof, error) {
	p, err := prove(ctx, dir)
	if err != nil || len(p.Failures) == 0 || p.Seen.Lag <= calm {
		return p, err
	}
	awaitCalm(ctx)
	again, err := prove(ctx, dir)
	if err != nil {
		return nil, err
	}
	again.Again = fmt.Sprintf("played again: on a machine that was late by %d ms, %s", p.Seen.Lag.Milliseconds(), p.Failures[0])
	again.Took += p.Took
	return again, nil
}

func prove(ctx context.Context, dir string) (*Proof, error) {
	begin := time.Now()
	c, err := Load(dir)
	if err != nil {
		return nil, err
	}
	seen, err := play(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("playing %s: %w", c.Name, err)
	}
	p := &Proof{Case: c, Seen: seen}
	if p.Found, err = compare(c, seen); err != nil {
		return nil, err
	}
	p.Failures = append(p.Found.Differences, seen.judge(c)...)
	runs, err := c.predict(seen, c.Scenario.Expect)
	if err != nil {
		return nil, err
	}
	for n, r := range runs {
		for _, v := range r.Verdicts {
			if v.Pass != dryrun.Held {
				p.Failures = append(p.Failures, fmt.Sprintf("%s: dry-run %d showed %s", v.ID, n, v.Observed))
			}
		}
	}
	p.Took = time.Since(begin)
	return p, nil
}
