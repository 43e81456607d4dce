package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/rules"
)

func explainCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "explain RULE", Short: "show the page of a rule",
		Long:    "explain shows what a rule finds, why it matters, what to do about it, and how to except it.",
		Example: "  poolproof explain members/missing",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("explain takes the name of one rule; poolproof rules lists them")
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completes(ruleTitles)(cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			lang, err := o.language()
			if err != nil {
				return err
			}
			if _, err := o.oneFormat(cmd, "console", "markdown"); err != nil {
				return err
			}
			page := rules.Page(args[0], lang)
			if page == "" {
				return usage("no rule %q%s; poolproof rules lists them", args[0], didYouMean(args[0], ruleNames()))
			}
			return o.emit(func(w io.Writer) error {
				_, err := io.WriteString(w, page)
				return err
			})
		},
	}
	o.ownFormat(cmd, "console", "markdown")
	return showFlags(cmd, "lang", "output")
}

func ruleNames() []string {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.ID)
	}
	return names
}

// ruleTitles lists the rules as shells complete them, with what they find.
func ruleTitles() []string {
	var list []string
	for _, r := range rules.All() {
		list = append(list, r.ID+"\t"+r.Title.En)
	}
	return list
}

func ruleAreas() []string {
	var areas []string
	for _, name := range ruleNames() {
		area, _, _ := strings.Cut(name, "/")
		areas = append(areas, area+"/*")
	}
	return uniqueSorted(areas)
}

func rulesCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rules", Short: "list all rules", Args: noArguments,
		Long: "rules lists every rule with its severity and when it fires. The manifest can change severities.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			lang, err := o.language()
			if err != nil {
				return err
			}
			format, err := o.oneFormat(cmd, "console", "json")
			if err != nil {
				return err
			}
			return o.emit(func(w io.Writer) error {
				if format == "json" {
					return rulesJSON(w)
				}
				return rulesConsole(w, lang)
			})
		},
	}
	o.ownFormat(cmd, "console", "json")
	return showFlags(cmd, "lang", "output")
}

func rulesJSON(w io.Writer) error {
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
	return json.NewEncoder(w).Encode(map[string]any{"schema": "poolproof/v1", "rules": list})
}

func rulesConsole(w io.Writer, lang string) error {
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, r := range rules.All() {
		kind := report.Severity(r.Severity, lang)
		if r.Judgement {
			kind += " (j)"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.ID, kind, r.Title.In(lang))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("writing the list of rules: %w", err)
	}
	note := "\n(j) marks judgements: warnings, and errors in pools with constraints: strict. poolproof explain RULE shows a rule's page.\n"
	if lang == "zh" {
		note = "\n(j) 为工程判断：默认警告，在 constraints: strict 的池中为错误。用 poolproof explain RULE 查看规则说明。\n"
	}
	_, err := io.WriteString(w, note)
	return err
}
