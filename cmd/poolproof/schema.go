package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/schema/export"
)

func schemaCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "schema", Short: "print the grammar of the files that people write", Args: noArguments,
		Long: `schema prints the grammar of native pool files (#NativeFile), the manifest (#Manifest), change orders (#ChangeOrder) and
scenarios (#Scenario), as one file of CUE or as JSON Schema for editors.`,
		Example: `  poolproof schema > poolproof.schema.cue
  cue vet -c -d '#NativeFile' poolproof.schema.cue pools.yaml
  poolproof schema --format jsonschema > poolproof.schema.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := o.oneFormat(cmd, "cue", "jsonschema")
			if err != nil {
				return err
			}
			return o.emit(func(w io.Writer) error { return writeSchema(w, format) })
		},
	}
	o.ownFormat(cmd, "cue", "jsonschema")
	return showFlags(cmd, "output")
}

func writeSchema(w io.Writer, format string) error {
	var text []byte
	var err error
	if format == "jsonschema" {
		text, err = export.JSONSchema()
	} else {
		var s string
		s, err = export.CUE()
		text = []byte(s)
	}
	if err != nil {
		return fmt.Errorf("writing the schema: %w", err)
	}
	_, err = w.Write(text)
	return err
}
