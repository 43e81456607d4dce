package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed example
var example embed.FS

func demoCommand(o *options) *cobra.Command {
	var keep string
	cmd := &cobra.Command{
		Use: "demo", Short: "check an example that is built in", Args: cobra.NoArgs,
		Long: "demo lays out a small repository with an application, two gateways, documents and a change order, and checks it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir := keep
			if dir == "" {
				temp, err := os.MkdirTemp("", "poolproof-demo-")
				if err != nil {
					return notChecked("making a folder for the example: %w", err)
				}
				defer os.RemoveAll(temp)
				dir = temp
			}
			if err := layOut(dir); err != nil {
				return notChecked("laying out the example: %w", err)
			}
			fmt.Fprintln(o.env.out, "An application, two gateways, documents and a change order speak of two pools. poolproof check says:")
			fmt.Fprintln(o.env.out)
			checked := *o
			checked.manifest = ""
			var found *exitError
			if err := checked.check(cmd.Context(), dir); errors.As(err, &found) && found.code != exitFindings {
				return err
			}
			fmt.Fprint(o.env.out, `
Next:
  poolproof demo --keep DIR        keeps the example, to edit it and check again
  poolproof explain probe/differs  explains a finding
  poolproof inspect DIR            shows everything that was understood
  poolproof init                   writes a manifest for your own repository; then: poolproof check
`)
			return nil
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "lay the example out in this folder and leave it there")
	return cmd
}

// layOut copies the example into dir. It refuses to write over files.
func layOut(dir string) error {
	return fs.WalkDir(example, "example", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("example", p)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := example.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	})
}
