package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
)

func explainCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use: "explain RULE", Short: "show the page of a rule", Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			lang, err := o.language()
			if err != nil {
				return err
			}
			page := rules.Page(args[0], lang)
			if page == "" {
				if near := reconcile.Nearest(args[0], ruleNames()); len(near) > 0 {
					return usage("no rule %q; did you mean %s?", args[0], near[0])
				}
				return usage("no rule %q; poolproof rules lists them", args[0])
			}
			_, err = fmt.Fprint(o.env.out, page)
			return err
		},
	}
}

func ruleNames() []string {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.ID)
	}
	return names
}

func rulesCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "list all rules", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			lang, err := o.language()
			if err != nil {
				return err
			}
			switch o.format {
			case "json":
				type entry struct {
					Rule      string `json:"rule"`
					Severity  string `json:"severity"`
					Judgement bool   `json:"judgement"`
					Title     string `json:"title"`
				}
				var list []entry
				for _, r := range rules.All() {
					list = append(list, entry{r.ID, r.Severity.String(), r.Judgement, r.Title.En})
				}
				return json.NewEncoder(o.env.out).Encode(map[string]any{"schema": "poolproof/v1", "rules": list})
			case "", "console":
			default:
				return usage("rules --format %s: one of console, json", o.format)
			}
			w := tabwriter.NewWriter(o.env.out, 0, 4, 2, ' ', 0)
			for _, r := range rules.All() {
				kind := r.Severity.String()
				if r.Judgement {
					kind += " (j)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, kind, r.Title.In(lang))
			}
			if err := w.Flush(); err != nil {
				return fmt.Errorf("writing the list of rules: %w", err)
			}
			_, err = fmt.Fprintln(o.env.out, map[string]string{
				"en": "\n(j) marks judgements: warnings, and errors in pools with constraints: strict. poolproof explain RULE shows a rule's page.",
				"zh": "\n(j) 为工程判断：默认警告，在 constraints: strict 的池中为错误。用 poolproof explain RULE 查看规则说明。",
			}[lang])
			return err
		},
	}
}
