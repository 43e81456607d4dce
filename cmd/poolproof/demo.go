package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/schema"
)

//go:embed example
var example embed.FS

func demoCommand(o *options) *cobra.Command {
	var keep string
	cmd := &cobra.Command{
		Use: "demo", Short: "check an example that is built in", Args: noArguments,
		Long: `demo lays out a small repository with an application, two gateways, documents and a change order, and checks it.
It needs nothing but the binary, and exits 0 although there is something to find.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.demo(cmd, keep) },
	}
	cmd.Flags().StringVar(&keep, "keep", "", "lay the example out in this `folder` and leave it there")
	_ = cmd.MarkFlagDirname("keep")
	return cmd
}

func (o *options) demo(cmd *cobra.Command, keep string) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "poolproof-demo-"); err != nil {
			return notChecked("making a folder for the example: %w", err)
		}
		defer os.RemoveAll(dir)
	}
	if err := layOut(dir); err != nil {
		return notChecked("laying out the example: %w", err)
	}
	// Words around a machine's report would spoil it.
	talk := o.format == "" || o.format == "console"
	say := func(text schema.Text) {
		if talk {
			fmt.Fprint(o.env.out, text.In(r.lang))
		}
	}
	say(schema.Text{
		En: "An application, two gateways, documents and a change order speak of two pools. poolproof check says:\n\n",
		Zh: "一个应用、两个网关、若干文档和一份变更单描述了两个池。poolproof check 的结果：\n\n",
	})
	checked := *o
	checked.manifest = ""
	if err := checked.check(cmd.Context(), dir); err != nil && codeOf(err) != exitFindings {
		return err
	}
	at := "DIR"
	if keep != "" {
		at = keep
	}
	say(schema.Textf(`
Next:
  poolproof demo --keep DIR        keeps the example, to edit it and check again
  poolproof explain probe/differs  explains a finding
  poolproof inspect %s            shows everything that was understood
  poolproof init                   writes a manifest for your own repository; then: poolproof check
`, `
接下来：
  poolproof demo --keep DIR        保留该示例，以便修改后再次检查
  poolproof explain probe/differs  查看某条规则的说明
  poolproof inspect %s            查看读到的全部内容
  poolproof init                   为自己的仓库生成清单；之后运行 poolproof check
`, at))
	return nil
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
