package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the module's version, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func versionLine() string {
	return fmt.Sprintf("poolproof %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "print the version", Args: noArguments,
		Long: "version prints the version of poolproof, of the Go that built it, and the platform.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := o.oneFormat(cmd, "console", "json")
			if err != nil {
				return err
			}
			return o.emit(func(w io.Writer) error {
				if format == "json" {
					return json.NewEncoder(w).Encode(map[string]any{"schema": "poolproof/v1", "tool": map[string]string{"name": "poolproof", "version": version()}})
				}
				_, err := io.WriteString(w, versionLine())
				return err
			})
		},
	}
	o.ownFormat(cmd, "console", "json")
	return showFlags(cmd, "output")
}
