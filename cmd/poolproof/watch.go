package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/daemon"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/web"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	gateways "github.com/poolproof/poolproof/sources/live/all"
)

// watching are the flags of watch alone.
type watching struct {
	listen, state, alertOn string
	every, poll, debounce  time.Duration
	once                   bool
}

func watchCommand(o *options) *cobra.Command {
	var f watching
	cmd := &cobra.Command{
		Use:   "watch [PATH]",
		Short: "keep watching files and running gateways, and tell of drift",
		Long: `watch looks at every copy that the manifest names whenever a file is saved, asks the running gateways that it names
(live) what they run, and tells the sinks that it names (alerts) which drift began and which ended; without sinks, standard
output, one line of JSON each. Drift that a restart finds again is not told again. What cannot be read or reached is held:
it is neither drift nor fine.

A manifest that becomes bad is reported, and the last good one stays in use. SIGHUP reads the manifest again and what it
names for alerts and gateways (templates, certificates), asks all gateways at once and looks at everything. SIGINT and
SIGTERM end watch with exit code 0 once the state is written; what is not delivered by then is delivered by the next start.

--once looks once, tells what is due, and exits as check does: 1 with findings at or above --fail-on, 3 if nothing could be
judged or a sink was not reached.`,
		Example: `  poolproof watch
  poolproof watch --listen '' --state /var/lib/poolproof
  poolproof watch --once --state /var/lib/poolproof`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.watch(cmd.Context(), path, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", web.DefaultAddress, "the `address` of status page and metrics; empty: none")
	flags.StringVar(&f.state, "state", "", "the `folder` of what survives a restart (default: in $XDG_STATE_HOME, by root)")
	flags.StringVar(&f.alertOn, "alert-on", "warning", "the lightest `severity` that is told: error, warning, info")
	flags.DurationVar(&f.every, "every", 5*time.Minute, "how often everything is looked at, whatever changed")
	flags.DurationVar(&f.poll, "poll", 30*time.Second, "how often a running gateway is asked whose entry does not say it")
	flags.DurationVar(&f.debounce, "debounce", 200*time.Millisecond, "how long files must be left alone before they are judged, a second at most")
	flags.BoolVar(&f.once, "once", false, "look once, tell, and exit (for cron)")
	_ = cmd.MarkFlagDirname("state")
	return showFlags(cmd, "manifest", "fail-on", "pool", "rule", "env", "lang", "now", "allow-empty", "quiet", "verbose")
}

func (o *options) watch(ctx context.Context, path string, f watching) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	severity, ok := schema.ParseSeverity(f.alertOn)
	if !ok || severity < schema.Info {
		return usage("--alert-on %s: one of error, warning, info", f.alertOn)
	}
	if f.every < time.Second || f.poll < time.Second {
		return usage("--every and --poll: at least 1s")
	}
	w, err := o.openWorkspace(path) // says in check's words what is wrong
	if err != nil {
		return err
	}
	root, link := w.root, w.manifest.Alerts.Link
	if w.below != "" {
		o.note("all of %s is watched, not only %s", root, w.below)
	}
	w.close()
	state, release, err := o.takeState(f.state, root)
	if err != nil {
		return err
	}
	defer release()
	now := o.env.now
	if o.now != "" {
		now = func() time.Time { return r.now }
	}
	again := make(chan struct{}, 1)
	opened := &watchedTree{o: o, path: path}
	d, err := daemon.New(ctx, daemon.Options{
		Open: opened.open, Rules: rules.All(), Kinds: gateways.Kinds(), Env: o.lookupEnv, State: state, AlertOn: severity, Every: f.every, Poll: f.poll, Debounce: f.debounce,
		Pools: o.pools, RuleNames: o.rules, Environment: o.poolEnv, Lang: r.lang, Version: version(), Stdout: o.env.out, Now: now, Log: o.logger(r.lang), Again: again,
	})
	var coded *exitError
	switch {
	case errors.As(err, &coded):
		return err
	case err != nil:
		return usage("%w", err)
	}
	if f.once {
		return o.watchOnce(ctx, d, r)
	}
	return o.watchOn(ctx, d, f.listen, link, again)
}

// watchOnce looks once and ends as check does.
func (o *options) watchOnce(ctx context.Context, d *daemon.Daemon, r request) error {
	findings, pools, undelivered, err := d.Once(ctx)
	switch {
	case err != nil:
		return notChecked("%w", err)
	case undelivered != nil:
		return notChecked("%w; it is delivered by the next run", undelivered)
	}
	switch code := verdict(findings, pools > 0, r.failOn, o.allowEmpty); code {
	case exitClean:
		return nil
	case exitNotChecked:
		return notChecked("nothing could be judged: no copy of a pool was found (--allow-empty accepts that)")
	default:
		return &exitError{code: code}
	}
}

// watchOn watches until a signal.
func (o *options) watchOn(ctx context.Context, d *daemon.Daemon, listen, link string, again chan<- struct{}) error {
	steadily()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	if listen == "" {
		served = nil
	} else {
		server, err := listenWeb(ctx, listen, web.Options{Source: d.Snapshot, Link: link, Now: o.env.now,
			Log: func(message string) { fmt.Fprintf(o.env.err, "poolproof: %s\n", report.ShownText(message)) }})
		if err != nil {
			return err
		}
		if !o.quiet {
			fmt.Fprintf(o.env.err, "poolproof: status page: http://%s/\n", server.Address())
		}
		go func() { served <- server.Serve(ctx) }()
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	watched := make(chan error, 1)
	go func() { watched <- d.Run(ctx) }()
	for {
		select {
		case <-hangups:
			select {
			case again <- struct{}{}:
			default:
			}
		case err := <-served:
			if ctx.Err() == nil {
				stop()
				<-watched
				return notChecked("the status page: %w", err)
			}
			served = nil
		case err := <-watched:
			if stop(); served != nil {
				<-served
			}
			if err != nil {
				return notChecked("%w", err)
			}
			return &exitError{code: exitClean} // ended by a signal, which is how a watch ends
		}
	}
}

// takeState returns the state folder and takes it for this process. One that cannot be written is no reason not to watch.
func (o *options) takeState(dir, root string) (string, func(), error) {
	if dir == "" {
		var err error
		if dir, err = o.stateFolder(root); err != nil {
			o.logger("en")(schema.Textf("no state survives a restart: %v", "重启后不保留状态：%v", err))
			return "", func() {}, nil
		}
	}
	release, err := daemon.Lock(dir)
	switch {
	case errors.Is(err, daemon.ErrLocked):
		return "", release, notChecked("%w; name another one with --state", err)
	case err != nil:
		o.logger("en")(schema.Textf("%v; it is watched all the same, and a restart tells drift again", "%v；仍会继续监视，重启会重复告警", err))
		if _, there := os.Stat(filepath.Join(dir)); errors.Is(there, fs.ErrNotExist) {
			dir = ""
		}
	}
	return dir, release, nil
}

// lookupEnv looks up a variable; an empty one counts as none.
func (o *options) lookupEnv(name string) (string, bool) {
	v := o.env.getenv(name)
	return v, v != ""
}

// logger writes what an operator should know to standard error, from any goroutine.
func (o *options) logger(lang string) func(schema.Text) {
	var mu sync.Mutex
	return func(t schema.Text) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(o.env.err, "poolproof: %s\n", report.ShownText(t.In(lang)))
	}
}
