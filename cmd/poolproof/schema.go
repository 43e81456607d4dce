package main

import "github.com/spf13/cobra"

func schemaCommand(o *options) *cobra.Command { return &cobra.Command{Use: "schema"} }
