package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/daemon"
	"github.com/poolproof/poolproof/schema"
)

func alertsCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{Use: "alerts", Short: "test where alerts go", Args: noArguments, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	test := &cobra.Command{
		Use:   "test [PATH]",
		Short: "send a sample to every sink of the manifest",
		Long: `alerts test sends a sample, marked as one, to every sink that the manifest names under alerts, and says for each what
came of it. It exits 1 if one failed.`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.alertsTest(cmd.Context(), path)
		},
	}
	cmd.AddCommand(showFlags(test, "manifest", "lang", "output"))
	return showFlags(cmd)
}

func (o *options) alertsTest(ctx context.Context, path string) error {
	lang, err := o.language()
	if err != nil {
		return err
	}
	w, err := o.openWorkspace(path)
	if err != nil {
		return err
	}
	defer w.close()
	if len(w.manifest.Alerts.Sinks) == 0 {
		return usage("the manifest names no sinks under alerts")
	}
	sinks, err := alert.Open(w.manifest.Alerts, alert.Config{Lang: lang, Root: w.root, Env: o.lookupEnv})
	if err != nil {
		return usage("%w", err)
	}
	runner, err := alert.NewRunner(sinks, alert.Options{Stdout: o.env.out, Now: o.env.now})
	if err != nil {
		return notChecked("%w", err)
	}
	defer runner.Close()
	results := runner.Test(ctx, daemon.Sample(o.env.now()))
	failed := false
	err = o.emit(func(out io.Writer) error {
		for _, s := range sinks {
			text := schema.Textf("%s: the sample was accepted", "%s：示例消息已被接受", s.Name)
			if err := results[s.Name]; err != nil {
				failed = true
				text = schema.Textf("%s: failed: %v", "%s：失败：%v", s.Name, err)
				if later := new(alert.Later); errors.As(err, &later) && later.After > 0 {
					text = schema.Textf("%s: failed: %v; it wants to be left alone for %s", "%s：失败：%v；对方要求 %s 后再试", s.Name, err, later.After)
				}
			}
			if _, err := fmt.Fprintln(out, report.ShownText(text.In(lang))); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && failed {
		err = &exitError{code: exitFindings}
	}
	return err
}
