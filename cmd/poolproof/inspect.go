package main

import "github.com/spf13/cobra"

func inspectCommand(o *options) *cobra.Command { return &cobra.Command{Use: "inspect"} }
