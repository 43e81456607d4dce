// Package export writes the grammar for other tools: as one file of CUE, and as JSON Schema for editors.
package export

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// CUE returns the whole grammar as one file of CUE, with its documentation: what `cue vet -c -d '#NativeFile'` reads.
func CUE() (string, error) {
	files := schema.CUE()
	names, err := fs.Glob(files, "*.cue")
	if err != nil {
		return "", fmt.Errorf("listing the schema: %w", err)
	}
	sort.Strings(names)
	imports := map[string]bool{}
	var head string
	var bodies []string
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return "", fmt.Errorf("reading the schema: %w", err)
		}
		before, rest, ok := strings.Cut(string(text), packageClause)
		if !ok {
			return "", fmt.Errorf("%s has no line %q", name, strings.TrimSpace(packageClause))
		}
		if before != "" {
			head = before
		}
		bodies = append(bodies, body(rest, imports))
	}
	var b strings.Builder
	b.WriteString(head + packageClause + "\nimport (\n")
	paths := make([]string, 0, len(imports))
	for p := range imports {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		b.WriteString("\t" + p + "\n")
	}
	b.WriteString(")\n\n" + strings.Join(bodies, "\n"))
	return b.String(), nil
}

const packageClause = "package schema\n"

// body takes the import block off a file and notes what it imports.
func body(text string, imports map[string]bool) string {
	text = strings.TrimLeft(text, "\n")
	block, ok := strings.CutPrefix(text, "import (\n")
	if !ok {
		return text
	}
	list, rest, _ := strings.Cut(block, "\n)\n")
	for _, line := range strings.Split(list, "\n") {
		imports[strings.TrimSpace(line)] = true
	}
	return strings.TrimLeft(rest, "\n")
}
