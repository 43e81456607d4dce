// Command gen compiles the CUE schema into table_gen.go of the package that it is run for.
package main

import (
	"fmt"
	"os"

	"github.com/poolproof/poolproof/schema/grammar"
	"github.com/poolproof/poolproof/schema/judge/internal/build"
)

func main() {
	if err := run("table_gen.go"); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	g, err := grammar.Load()
	if err != nil {
		return err
	}
	t, err := build.Table(g)
	if err != nil {
		return err
	}
	text, err := build.Source(t)
	if err != nil {
		return fmt.Errorf("formatting the table: %w", err)
	}
	return os.WriteFile(path, text, 0o644)
}
