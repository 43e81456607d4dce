package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/schema"
)

// changeFlags are the flags of change new and change verify.
type changeFlags struct {
	ciFlags
	staged    bool
	id        string
	initiator string
	effective string
	rampFrom  string
	template  string
	seeds     int
}

func changeCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "change",
		Short: "write the change order of a change, or verify one",
		Long: `change new writes the change order of a change: what it alters, who follows, the ramp that it freezes and the drill of it.
change verify holds a change order against the trees, and says what an approval of it has to carry.`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.AddCommand(changeNewCommand(o), changeVerifyCommand(o))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("change takes new or verify, not %q", args[0])
		}
		return cmd.Help()
	}
	return showFlags(cmd)
}

// compared adds the flags that say what is compared.
func (f *changeFlags) compared(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.base, "base", "", "the `revision` that the change is to go into")
	flags.StringVar(&f.head, "head", "", "the `revision` with the change (default: what is checked out)")
	flags.BoolVar(&f.staged, "staged", false, "the change is what is staged, compared with the last commit")
	flags.StringArrayVar(&f.allowRepos, "allow-repo", nil, "open other repositories whose path or address starts with `PREFIX` (repeatable)")
}

// check refuses flags that contradict each other.
func (f *changeFlags) check() error {
	if f.staged && (f.base != "" || f.head != "") {
		return usage("--staged compares the index with the last commit: leave out --base and --head")
	}
	return nil
}

// dispute is a change whose head has change orders as they are being written: files of the working tree in the place of
// those that are committed or staged.
type dispute struct {
	*span
	flags *changeFlags
	// written are the texts that count in head, by path.
	written map[string][]byte
	base    change.Tree
	head    change.Tree
}

// openDispute finds the repository and both ends of the change. nothing says why there is nothing to compare, if so.
func (o *options) openDispute(dir string, r request, f *changeFlags) (d *dispute, nothing *schema.Text, err error) {
	d = &dispute{span: &span{o: o, flags: &f.ciFlags, request: r}, flags: f, written: map[string][]byte{}}
	if f.staged {
		if err = d.openRepo(dir); err == nil {
			err = d.stagedEnds()
		}
	} else {
		nothing, err = d.span.open(dir)
	}
	d.base, d.head = d.span.base, d.span.head
	return d, nothing, err
}

// judgeWith judges the change with what is written.
func (d *dispute) judgeWith(ctx context.Context) (*change.Change, error) {
	d.span.head = overlay{d.head, d.base, d.written}
	return d.span.judge(ctx)
}

// inTree returns the path of a file in the trees; ok is false for one outside of them.
func (d *dispute) inTree(name string) (string, bool) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	// Both may be reached through links.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(dir, filepath.Base(abs))
	}
	root := d.root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// file is a path of the trees in the file system.
func (d *dispute) file(path string) string { return filepath.Join(d.root, filepath.FromSlash(path)) }

// readOrder reads a file as people write it, within the bounds of every file. A file that is not there is no text.
func readOrder(name string) ([]byte, error) {
	data, err := readNamed(name, true)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
