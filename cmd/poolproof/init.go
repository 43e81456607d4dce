package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/draft"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
)

func initCommand(o *options) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "init [PATH]", Short: "write a manifest from what is found", Args: onePath,
		Long: `init looks for known formats under PATH and writes poolproof.yaml there, which says where the copies of each pool are.
It also looks for home-made application files that list addresses of the gateway, for pools that have another name in
another place, and for environments in paths. What it guessed stands in the manifest as such: read it before use.`,
		Example: `  poolproof init
  poolproof init --output -   # shows the manifest and writes nothing`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return o.init(cmd, dir, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing manifest")
	return showFlags(cmd, "output", "lang")
}

func (o *options) init(cmd *cobra.Command, dir string, force bool) error {
	lang, err := o.language()
	if err != nil {
		return err
	}
	if _, err := o.oneFormat(cmd, "console"); err != nil {
		return err
	}
	w, err := openBare(dir)
	if err != nil {
		return err
	}
	defer w.close()
	target := filepath.Join(dir, "poolproof.yaml")
	if o.output == "" {
		if err := free(dir, force); err != nil {
			return err
		}
	} else {
		target = o.outputFile()
	}
	d, err := o.draft(cmd.Context(), w)
	if err != nil {
		return err
	}
	text := d.YAML(lang)
	if target == "" {
		_, err := fmt.Fprint(o.env.out, text)
		return err
	}
	if err := writeFile(target, []byte(text)); err != nil {
		return notChecked("%w", err)
	}
	if !o.quiet {
		fmt.Fprint(o.env.out, initSummary(d, target, lang))
		if above := manifestAbove(dir); o.output == "" && above != "" {
			fmt.Fprint(o.env.out, schema.Textf("note: %s lies above and no longer counts in this folder\n", "注意：上层的 %s 在此文件夹中不再起作用\n", report.Shown(above)).In(lang))
		}
	}
	return nil
}

// free refuses to write over a manifest, or beside one that would still count.
func free(dir string, force bool) error {
	for _, name := range manifest.Names() {
		file := filepath.Join(dir, name)
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return usage("looking for a manifest: %w", err)
		case !force:
			return usage("%s exists already; --force replaces it", file)
		case name == "poolproof.cue":
			return usage("%s exists and would count before poolproof.yaml: remove it first", file)
		case !info.Mode().IsRegular():
			return usage("%s is not a regular file", file)
		}
	}
	return nil
}

// manifestAbove returns the manifest that would count in dir if dir had none, or nothing.
func manifestAbove(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil || dir == repository(dir) {
		return ""
	}
	if root, name := findManifest(filepath.Dir(dir)); name != "" && repository(dir) != "" {
		return filepath.Join(root, name)
	}
	return ""
}

// draft finds out what lies in the tree and drafts a manifest from it. The root of a repository's manifest, if there is
// one, plays no part.
func (o *options) draft(ctx context.Context, w *workspace) (*draft.Draft, error) {
	quietly := *o
	quietly.manifest, quietly.noCache = "", true
	loaded, err := w.load(ctx, &quietly)
	if err != nil {
		return nil, err
	}
	entries, err := w.tree.List(".", load.Foreign)
	if err != nil {
		return nil, notChecked("listing the files: %w", err)
	}
	var files []string
	for _, e := range entries {
		if e.Err == nil {
			files = append(files, e.Path)
		}
	}
	return draft.New(w.tree, files, &w.manifest, loaded), nil
}

// initSummary says what was written and what to look at.
func initSummary(d *draft.Draft, target, lang string) string {
	say := func(en, zh string, args ...any) string {
		return fmt.Sprintf(schema.Text{En: en, Zh: zh}.In(lang), args...)
	}
	var b strings.Builder
	b.WriteString(say("wrote %s\n", "已写入 %s\n", target))
	guesses := 0
	for i := range d.Sources {
		s := &d.Sources[i]
		files := say("%d files", "%d 个文件", s.Count)
		if s.Count == 1 && lang != "zh" {
			files = "1 file"
		}
		fmt.Fprintf(&b, "  %-8s %-14s %s: %s", s.Side, s.Format, files, report.Shown(strings.Join(s.Files[:min(3, len(s.Files))], ", ")))
		if more := len(s.Files) - 3; more > 0 {
			b.WriteString(say(", and %d more patterns", "，另有 %d 个模式", more))
		}
		if s.Guess {
			guesses++
			b.WriteString(say(" (a guess, by the addresses in it)", "（据其中的地址猜测）"))
		}
		b.WriteByte('\n')
	}
	if len(d.Sources) == 0 {
		b.WriteString(say("no known format was found: fill in sources by hand, the file shows how; poolproof schema prints the grammar\n",
			"没有找到已知格式：请按文件中的示例填写 sources；poolproof schema 打印完整语法\n"))
		return b.String()
	}
	if n := len(d.LeftOut); n == 1 {
		b.WriteString(say("left out: %s (%s)\n", "未列入：%s（%s）\n", report.Shown(d.LeftOut[0].Path), d.LeftOut[0].Why.In(lang)))
	} else if n > 1 {
		b.WriteString(say("left out: %d files; the manifest says which, and why\n", "未列入：%d 个文件，清单中注明了文件与原因\n", n))
	}
	var lines []string
	for i := range d.Pools {
		p := &d.Pools[i]
		for _, side := range draft.Sorted(p.Names) {
			name := p.Names[side]
			lines = append(lines, say("  \"%s\", and \"%s\" %s: taken for one pool\n", "  \"%s\" 与%[3]s中的 \"%[2]s\"：视为同一个池\n", p.Name, name, draft.SideName(side, lang)))
		}
		for _, g := range p.Perhaps {
			lines = append(lines, say("  \"%s\", and \"%s\" %s: one pool?\n", "  \"%s\" 与%[3]s中的 \"%[2]s\"：是同一个池吗？\n", p.Name, g.Name, draft.SideName(g.Side, lang)))
		}
		if p.TwoExecutors {
			lines = append(lines, say("  \"%s\": application and gateway both state a probe; who runs it?\n", "  \"%s\"：应用与网关都写了探测，由谁执行？\n", p.Name))
		}
	}
	if guesses > 0 || len(lines) > 0 {
		b.WriteString(say("please check in it:\n", "请核对：\n"))
	}
	if guesses == 1 {
		b.WriteString(say("  the paths (map) into a home-made application file\n", "  一个自制应用文件的路径（map）\n"))
	} else if guesses > 1 {
		b.WriteString(say("  the paths (map) into %d home-made application files\n", "  %d 个自制应用文件的路径（map）\n", guesses))
	}
	const most = 10
	for _, line := range lines[:min(most, len(lines))] {
		b.WriteString(line)
	}
	if more := len(lines) - most; more > 0 {
		b.WriteString(say("  and %d more names\n", "  另有 %d 个名称\n", more))
	}
	b.WriteString(say("next: poolproof check, and poolproof inspect to see every value that was understood\n",
		"接下来：poolproof check；用 poolproof inspect 查看读到的全部取值\n"))
	return b.String()
}
