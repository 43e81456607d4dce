package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
)

func initCommand(o *options) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "init [PATH]", Short: "write a manifest from what is found", Args: onePath,
		Long: `init looks for known formats under PATH and writes poolproof.yaml, which says where the copies of each pool are.
Home-made application files cannot be recognised; the manifest that init writes shows how to map them.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return o.init(cmd.Context(), dir, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing manifest")
	return cmd
}

func (o *options) init(ctx context.Context, dir string, force bool) error {
	for _, name := range manifest.Names() {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && !force {
			return usage("%s exists already; --force replaces it", filepath.Join(dir, name))
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usage("looking for a manifest: %w", err)
		}
	}
	quietly := *o
	quietly.manifest, quietly.noCache = "", true
	w, err := openBare(dir)
	if err != nil {
		return err
	}
	defer w.close()
	l, err := w.load(ctx, &quietly)
	if err != nil {
		return err
	}
	text := manifestText(&w.manifest, l)
	target := filepath.Join(dir, "poolproof.yaml")
	if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
		return notChecked("writing the manifest: %w", err)
	}
	fmt.Fprintf(o.env.out, "wrote %s\n", target)
	for _, s := range w.manifest.Sources {
		fmt.Fprintf(o.env.out, "  %-8s %-14s %d files\n", s.Side, s.Format, len(s.Files))
	}
	if len(w.manifest.Sources) == 0 {
		fmt.Fprintln(o.env.out, "no known format was found; fill in sources by hand (the file shows how)")
	}
	fmt.Fprintln(o.env.out, "next: poolproof check")
	return nil
}

// manifestText writes a manifest that people go on with.
func manifestText(m *schema.Manifest, l *load.Loaded) string {
	var b strings.Builder
	b.WriteString("# What poolproof compares. poolproof schema prints the whole grammar; poolproof explain RULE explains a finding.\nsources:\n")
	formats := map[string]int{}
	for _, s := range m.Sources {
		fmt.Fprintf(&b, "  - {side: %s, format: %s, files: [%s]}\n", s.Side, s.Format, strings.Join(quoteAll(patterns(s.Files)), ", "))
		formats[string(s.Side)]++
	}
	if formats["app"] == 0 {
		b.WriteString(`  # An application file of your own making is read through paths:
  # - side: app
  #   format: mapped
  #   files: ["services/orders/config.yaml"]
  #   map:
  #     pool: orders
  #     members: {each: "upstream.hosts[*]", address: host, port: port, weight: weight}
  #     cooldown: {duration: "breaker.sleep_ms | ms"}
`)
	}
	if formats["doc"] == 0 {
		b.WriteString("  # - {side: doc, format: markdown, files: [\"docs/**/*.md\"]}\n")
	}
	if formats["order"] == 0 {
		b.WriteString("  # - {side: order, files: [\"changes/*.md\"]}\n")
	}
	var copies []*schema.Copy
	for _, f := range l.Files {
		for i := range f.Result.Copies {
			copies = append(copies, &f.Result.Copies[i])
		}
	}
	b.WriteString("\n# Pools pair by name (case, '-', '_', spaces and the word pool do not matter). Where a pool is called differently\n# on one side, say so under names; executor is the side that runs the health checks.\npools:\n")
	groups := reconcile.Pair(copies, m).Groups
	sort.SliceStable(groups, func(i, j int) bool { return len(groups[i].Copies) > len(groups[j].Copies) })
	written := 0
	seen := map[string]bool{}
	for _, g := range groups {
		c := g.Copies[0]
		if c.Owned || seen[g.Pool] || written >= 20 {
			continue
		}
		seen[g.Pool] = true
		written++
		var sides []string
		for _, c := range g.Copies {
			sides = append(sides, string(c.Side))
		}
		fmt.Fprintf(&b, "  %s: {}  # %s\n", quote(g.Pool), strings.Join(uniqueStrings(sides), ", "))
	}
	if written == 0 {
		b.WriteString("  # orders: {names: {gateway: be_orders, doc: \"Orders address pool\"}, executor: gateway}\n")
	}
	return b.String()
}

// patterns folds files of one folder with one ending into one pattern.
func patterns(files []string) []string {
	type key struct{ dir, ext string }
	count := map[key][]string{}
	for _, f := range files {
		k := key{path.Dir(f), path.Ext(f)}
		count[k] = append(count[k], f)
	}
	var out []string
	for k, list := range count {
		if len(list) > 10 && k.ext != "" {
			out = append(out, path.Join(k.dir, "*"+k.ext))
			continue
		}
		out = append(out, list...)
	}
	sort.Strings(out)
	return out
}

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return out
}

// quote writes a YAML double-quoted scalar.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func uniqueStrings(list []string) []string {
	var out []string
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}
