package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/schema"
)

// dryrunFlags are the flags of dryrun alone.
type dryrunFlags struct {
	seeds     int
	seedsSaid bool
	compare   string
	scenarios []string // names
}

// defaultSeeds is under how many seeds each scenario is played.
const defaultSeeds = 5

// maxSeeds bounds that.
const maxSeeds = 10_000

func dryrunCommand(o *options) *cobra.Command {
	var f dryrunFlags
	cmd := &cobra.Command{
		Use: "dryrun [SCENARIO...]", Short: "play pools through faults, in virtual time",
		Long: `dryrun plays pools in the failover engine that their gateway copies name, through traffic and faults, in virtual time.
It says for every expectation whether it held, with what was observed.

Without SCENARIO, every pool is played through the acceptance cases and the known bad days. A case is judged where the
pool states what it is about; else it is not applicable, with the reason. Bad days report metrics and judge nothing.

--scenario three-endpoints plays a day with a pool of its own, which needs no files: what a filter of slow endpoints does
while their common link is ill, and what refusing requests wastes once it is well again.

SCENARIO is a scenario file, or a folder that holds a file scenario.yaml, .json or .cue. A scenario with "config:" is
played on those gateway files beside it. Any other is played on the pool of the manifest that the current folder or the
scenario's folder has; where there is none, on the gateway files in the scenario's folder. Its expectations decide the
exit code.

--compare plays the pools of BASE too, under the same seeds, and says what got better and worse, and which settings are
not the same. BASE is a folder, or a revision of the git repository. Differences that nobody would act on count as none:
less than 0.1 percentage points of requests, 2 % and 1 ms of a latency, 5 % and 250 ms of another time; nor do quicker
answers and fewer attempts count as better where more requests fail or are refused.

--format html writes one page with plots that needs nothing but itself.`,
		Example: `  poolproof dryrun
  poolproof dryrun --pool orders --seeds 20
  poolproof dryrun --scenario 'cooldown/*' --format json
  poolproof dryrun --report html=dryrun.html
  poolproof dryrun drills/link-jitter.yaml --compare origin/main`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seedsSaid = cmd.Flags().Changed("seeds")
			return o.dryrun(cmd, &f, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.seeds, "seeds", defaultSeeds, "play each scenario under `N` seeds")
	flags.StringVar(&f.compare, "compare", "", "play the pools of `BASE` as well, a folder or a git revision, and compare")
	flags.StringArrayVar(&f.scenarios, "scenario", nil, "play only the scenario or case of this `name`, or area/*, or this file (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("scenario", completes(builtinNames))
	showFlags(cmd, "manifest", "format", "output", "report", "fail-on", "pool", "env", "lang", "no-cache", "no-color", "allow-empty", "quiet", "verbose", "now")
	cmd.PreRunE = nil // it does write reports
	return cmd
}

// dryrun plays what was asked for and writes what came of it.
func (o *options) dryrun(cmd *cobra.Command, f *dryrunFlags, args []string) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	if f.seeds < 1 || f.seeds > maxSeeds {
		return usage("--seeds %d: from 1 to %d", f.seeds, maxSeeds)
	}
	args = f.files(args)
	if err := checkBuiltinNames(f.scenarios, len(args) > 0); err != nil {
		return err
	}
	d := &dry{o: o, flags: f, request: r}
	defer d.close()
	d.command = d.repeats(args)
	alone, err := d.day(args)
	if err == nil && !alone {
		err = d.stage(args)
	}
	if err != nil {
		return d.abandon(err)
	}
	if err := d.compareWith(f.compare); err != nil {
		return d.abandon(err)
	}
	if err := d.run(cmd.Context()); err != nil {
		return d.abandon(err)
	}
	d.finish()
	why := d.nothing()
	code := verdict(d.findings, why == nil, r.failOn, o.allowEmpty)
	if code != exitClean {
		d.failed = why
	}
	if err := d.report(nil); err != nil {
		return err
	}
	switch code {
	case exitClean:
		return nil
	case exitNotChecked:
		if d.playable() {
			return notChecked("not all could be played: %s (--allow-empty accepts that)", *why)
		}
		return notChecked("nothing could be played: %s (--allow-empty accepts that)", *why)
	default:
		return &exitError{code: code}
	}
}

// files takes the files out of --scenario and adds them to those that stand alone: a name is a name, everything else that
// exists a file.
func (f *dryrunFlags) files(args []string) []string {
	f.scenarios = slices.DeleteFunc(slices.Clone(f.scenarios), func(name string) bool {
		if _, err := os.Stat(name); err != nil || slices.Contains(builtinNames(), name) {
			return false
		}
		args = append(slices.Clone(args), name)
		return true
	})
	return args
}

// repeats returns the command line that gives the same report again.
func (d *dry) repeats(args []string) []string {
	list := []string{"poolproof", "dryrun"}
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				list = append(list, flag, v)
			}
		}
	}
	list = append(list, args...)
	add("--manifest", d.o.manifest)
	add("--env", d.o.poolEnv)
	add("--pool", d.o.pools...)
	add("--scenario", d.flags.scenarios...)
	if d.flags.seedsSaid || len(args) == 0 {
		add("--seeds", strconv.Itoa(d.flags.seeds))
	}
	add("--compare", d.flags.compare)
	return list
}

// abandon writes the reports of a run that could not play: whoever reads JSON finds no findings.
func (d *dry) abandon(cause error) error {
	if codeOf(cause) == exitUsage {
		return cause
	}
	d.runs, d.comparisons, d.changes, d.findings = nil, nil, nil, nil
	return errors.Join(cause, d.report(cause))
}

// run plays every stage, one after the other.
func (d *dry) run(ctx context.Context) error {
	for _, s := range d.stages {
		if err := d.play(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// playable reports whether something was played.
func (d *dry) playable() bool {
	for _, r := range d.runs {
		if r.Config == drill.Head {
			return true
		}
	}
	return false
}

// nothing says why nothing was played, or what of what was asked for is not there; nil if all was played.
func (d *dry) nothing() *schema.Text {
	missing := d.missing()
	asked := len(d.o.pools) > 0 || d.o.poolEnv != ""
	switch {
	case missing != nil && asked, missing == nil && d.playable():
		return missing
	case d.playable():
		return nil
	case len(d.skipped) > 0:
		text := d.skipped[0].Text()
		return &text
	case missing != nil:
		return missing
	}
	text := schema.Textf("no copy of a pool was found", "没有找到任何池的副本")
	return &text
}
