package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
)

// environment is what a command sees of the world, so that tests can stand in for it.
type environment struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	now      func() time.Time
	// terminal says whether out and err are terminals; width is how many cells wide out is.
	outTerminal, errTerminal bool
	width                    int
}

func system() environment {
	e := environment{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, now: time.Now,
		outTerminal: term.IsTerminal(int(os.Stdout.Fd())), errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	if e.outTerminal {
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			e.width = w
		}
	}
	return e
}

// options are the flags that commands share.
type options struct {
	env        environment
	manifest   string
	format     string
	output     string
	reports    []string
	failOn     string
	pools      []string
	rules      []string
	poolEnv    string
	lang       string
	now        string
	noCache    bool
	noColor    bool
	allowEmpty bool
	quiet      bool
	verbose    bool
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, env environment) (code int) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(env.err, "poolproof: internal error: %v\n%s\nThis is a defect of poolproof; please report it.\n", cause, debug.Stack())
			code = exitInternal
		}
	}()
	root, o := newRoot(env)
	if args == nil {
		args = []string{} // cobra takes nil for the process's own arguments
	}
	root.SetArgs(args)
	root.SetIn(env.in)
	root.SetOut(env.out)
	root.SetErr(env.err)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		fmt.Fprintln(env.err, "poolproof: interrupted")
		return exitInterrupted
	}
	var e *exitError
	if err != nil && (!errors.As(err, &e) || e.cause != nil) {
		// Every line starts with the program's name: what stands in a file or its name starts none, which a build
		// server might take for a command.
		for _, line := range strings.Split(inWords(err, o.errorLanguage(args)), "\n") {
			fmt.Fprintf(env.err, "poolproof: %s\n", report.ShownText(line))
		}
	}
	return codeOf(err)
}

func newRoot(env environment) (*cobra.Command, *options) {
	o := &options{env: env}
	root := &cobra.Command{
		Use:   "poolproof",
		Short: "checks that every copy of a failover pool's settings says the same",
		Long: `poolproof reads what the application, the gateway and the documents say about a failover pool (members, probe,
cooldown, ramp), says where they disagree, which copy is right and by which rule, and what to change.

New here?  poolproof demo   shows what it does, on an example that is built in
           poolproof init   writes a manifest for your repository; then: poolproof check

Exit codes: 0 clean, 1 findings, 2 wrong usage or manifest, 3 could not check, 4 internal error, 130 interrupted.`,
		Version:      version(),
		SilenceUsage: true, SilenceErrors: true,
		Args: cobra.ArbitraryArgs,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			var names []string
			for _, c := range root.Commands() {
				names = append(names, c.Name())
			}
			return usage("unknown command %q%s; poolproof --help lists them", args[0], didYouMean(args[0], names))
		}
		return cmd.Help()
	}
	root.SetVersionTemplate(versionLine())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagError(cmd.CommandPath(), err)
	})
	o.flags(root)
	root.AddCommand(checkCommand(o), ciCommand(o), inspectCommand(o), alignCommand(o), dryrunCommand(o), initCommand(o), changeCommand(o), explainCommand(o), rulesCommand(o), schemaCommand(o), watchCommand(o), alertsCommand(o), demoCommand(o), versionCommand(o))
	root.SetHelpCommand(helpCommand(root))
	completionCommand(root)
	return root, o
}

// failOnSeverity parses --fail-on.
func (o *options) failOnSeverity() (schema.Severity, error) {
	s, ok := schema.ParseSeverity(o.failOn)
	if !ok || s < schema.Info {
		return 0, usage("--fail-on %s: one of error, warning, info", o.failOn)
	}
	return s, nil
}

// moment is what the run takes for now.
func (o *options) moment() (time.Time, error) {
	if o.now == "" {
		return o.env.now().UTC().Truncate(time.Second), nil
	}
	t, err := time.Parse(time.RFC3339, o.now)
	if err != nil {
		return time.Time{}, usage("--now %s is no RFC 3339 time (2026-01-31T02:00:00Z)", o.now)
	}
	return t.UTC(), nil
}

// language is the language of texts for people.
func (o *options) language() (string, error) {
	switch o.lang {
	case "en", "zh":
		return o.lang, nil
	case "":
		for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
			if v := o.env.getenv(name); v != "" {
				if strings.HasPrefix(strings.ToLower(v), "zh") {
					return "zh", nil
				}
				return "en", nil
			}
		}
		return "en", nil
	}
	return "", usage("--lang %s: one of en, zh", o.lang)
}
