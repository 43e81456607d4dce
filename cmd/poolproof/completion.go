package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// completes offers the words of a list that start as typed; behind a tab, a word may have a description.
func completes(list func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, word := range list() {
			if strings.HasPrefix(word, typed) {
				out = append(out, word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// helpCommand is cobra's, except that a topic that does not exist is wrong usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "show the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completes(func() []string {
				var names []string
				if at, rest, err := root.Find(args); err == nil && len(rest) == 0 {
					for _, c := range at.Commands() {
						if c.IsAvailableCommand() {
							names = append(names, c.Name()+"\t"+c.Short)
						}
					}
				}
				return names
			})(cmd, args, typed)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage("no command %q; poolproof --help lists them", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// completionCommand adjusts cobra's completion command: an unknown shell is wrong usage.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		var shells []string
		for _, shell := range c.Commands() {
			shell.Short = "print the completion script of " + shell.Name()
			shells = append(shells, shell.Name())
			showFlags(shell)
		}
		c.Use, c.Short = "completion SHELL", "print a completion script: "+strings.Join(shells, ", ")
		c.Args = nil
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("no completion for %s: one of %s", args[0], strings.Join(shells, ", "))
			}
			return cmd.Help()
		}
		showFlags(c)
	}
}
