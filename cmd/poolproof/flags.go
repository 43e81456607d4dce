package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
)

// flags adds the flags that commands share. Every command takes all of them, so that a wrapper can pass the same ones
// everywhere; help shows those that the command makes use of.
func (o *options) flags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&o.manifest, "manifest", "", "the manifest `file` (default: poolproof.cue, .yaml, .yml or .json, in PATH or above it)")
	flags.StringVar(&o.format, "format", "", "output `format`: "+strings.Join(report.Formats(), ", ")+" (default console)")
	flags.StringVar(&o.output, "output", "", "write the output to this `file` instead of standard output")
	flags.StringArrayVar(&o.reports, "report", nil, "write a further report, `FORMAT=FILE` (repeatable)")
	flags.StringVar(&o.failOn, "fail-on", "error", "the lightest `severity` that fails the run: error, warning, info")
	flags.StringArrayVar(&o.pools, "pool", nil, "report only the pool of this `name` (repeatable)")
	flags.StringArrayVar(&o.rules, "rule", nil, "report only this `rule`, or area/* (repeatable)")
	flags.StringVar(&o.poolEnv, "env", "", "report only the environment of this `name`")
	flags.StringVar(&o.lang, "lang", "", "`language` of texts for people: en, zh (default: from the locale)")
	flags.StringVar(&o.now, "now", "", "the `time` that counts as now for exceptions and change orders, as in 2026-01-31T02:00:00Z")
	flags.BoolVar(&o.noCache, "no-cache", false, "neither read nor write the cache")
	flags.BoolVar(&o.noColor, "no-color", false, "no colours (also: NO_COLOR)")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "nothing to judge is no failure")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "findings only")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "say more: suppressed findings, values, everything that was skipped")

	// The only error of these calls is that of a flag that does not exist, which the tests would show.
	complete := func(flag string, list func() []string) { _ = root.RegisterFlagCompletionFunc(flag, completes(list)) }
	fixed := func(flag string, values ...string) { complete(flag, func() []string { return values }) }
	fixed("format", report.Formats()...)
	fixed("fail-on", "error", "warning", "info")
	fixed("lang", "en", "zh")
	fixed("pool")
	fixed("env")
	fixed("now")
	complete("rule", func() []string { return append(ruleAreas(), ruleTitles()...) })
	_ = root.RegisterFlagCompletionFunc("report", func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		list, directive := completes(func() []string {
			var list []string
			for _, f := range report.Formats() {
				list = append(list, f+"=")
			}
			return list
		})(cmd, args, typed)
		return list, directive | cobra.ShellCompDirectiveNoSpace
	})
	_ = root.MarkPersistentFlagFilename("manifest", "cue", "yaml", "yml", "json")
}

// ownFormat gives a command a --format of its own, since it writes other formats than check.
func (o *options) ownFormat(cmd *cobra.Command, known ...string) {
	cmd.Flags().StringVar(&o.format, "format", "", "output `format`: "+strings.Join(known, ", ")+" (default "+known[0]+")")
	_ = cmd.RegisterFlagCompletionFunc("format", completes(func() []string { return known }))
}

// showFlags leaves the shared flags that a command makes no use of out of its help, and refuses --report, which would
// otherwise be promised and not written.
func showFlags(cmd *cobra.Command, used ...string) *cobra.Command {
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || !slices.Contains(used, f.Name) })
		help(c, args)
	})
	cmd.PreRunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("report") {
			return usage("%s writes no reports: use --output", c.Name())
		}
		return nil
	}
	return cmd
}

// onePath is for commands that take at most one path.
func onePath(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("%s takes one path, not %d: %s", cmd.Name(), len(args), strings.Join(args, " "))
	}
	return nil
}

// noArguments is for commands that take none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no arguments: %s", cmd.Name(), strings.Join(args, " "))
	}
	return nil
}
