package load

import (
	"bytes"
	"context"
	"path"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// Discover finds out which known formats lie below a path ("" for the root) and returns the manifest that names them,
// one source for each side and format. Folders of tools and dependencies are passed over.
func Discover(ctx context.Context, t tree.Tree, o Options, below string) (*schema.Manifest, error) {
	m := &schema.Manifest{Discovered: true}
	dir := "."
	if below != "" {
		dir = below
	}
	entries, err := t.List(dir, Foreign)
	if err != nil {
		return nil, err
	}
	type kind struct {
		side   schema.Side
		format string
	}
	found := map[kind][]string{}
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e.Err != nil {
			continue
		}
		if below == "" && strings.HasPrefix(path.Base(e.Path), ".") || binary(e.Path) {
			continue
		}
		data, err := t.Read(e.Path)
		if err != nil {
			if e.Path == below {
				// The one file that was asked for is a finding, not something to pass over.
				found[kind{schema.Gateway, ""}] = append(found[kind{schema.Gateway, ""}], e.Path)
			}
			continue
		}
		if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 && e.Path != below {
			continue
		}
		if a, ok := Detect(o.Adapters, e.Path, data, ""); ok {
			k := kind{a.Sides[0], a.Name}
			if len(a.Sides) > 1 {
				k.side = sideByFolder(e.Path, a.Sides)
			}
			found[k] = append(found[k], e.Path)
		}
	}
	for k, files := range found {
		m.Sources = append(m.Sources, schema.Source{Side: k.side, Format: k.format, Files: escapeAll(files)})
	}
	sort.Slice(m.Sources, func(i, j int) bool {
		a, b := m.Sources[i], m.Sources[j]
		if a.Side != b.Side {
			return a.Side < b.Side
		}
		return a.Format < b.Format
	})
	return m, nil
}

// sideByFolder guesses the side of a format that can stand on any from the names of its folders.
func sideByFolder(p string, sides []schema.Side) schema.Side {
	for _, part := range strings.Split(strings.ToLower(path.Dir(p)), "/") {
		switch part {
		case "gateway", "gateways", "gw", "edge", "proxy", "lb", "ingress":
			return schema.Gateway
		case "doc", "docs":
			return schema.Doc
		}
	}
	return sides[0]
}

// Foreign names folders that discovery passes over, since they hold other people's files.
func Foreign(dir string) bool {
	switch base := path.Base(dir); base {
	case "node_modules", "vendor", "third_party", "testdata", "dist", "target", "build":
		return true
	default:
		return strings.HasPrefix(base, ".") && base != "."
	}
}

// binary names endings whose files are never configuration.
func binary(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".ico", ".pdf", ".zip", ".gz", ".tgz", ".xz", ".jar", ".class", ".so", ".a", ".o", ".exe",
		".woff", ".woff2", ".ttf", ".mp4", ".go", ".py", ".js", ".ts", ".java", ".rs", ".c", ".h", ".cc", ".cpp", ".sum", ".lock", ".svg", ".html", ".css":
		return true
	}
	return false
}

// escapeAll turns paths into patterns that match just them.
func escapeAll(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = EscapePattern(p)
	}
	return out
}

// EscapePattern returns the file pattern that matches a path and nothing else.
func EscapePattern(p string) string {
	if !strings.ContainsAny(p, "*?[{") {
		return p
	}
	var b strings.Builder
	for _, r := range p {
		if strings.ContainsRune("*?[{", r) {
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
