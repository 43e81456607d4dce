package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/schema"
)

// alignFlags are the flags of align besides the shared ones.
type alignFlags struct {
	write      bool
	allowRepos []string
}

func alignCommand(o *options) *cobra.Command {
	var f alignFlags
	cmd := &cobra.Command{
		Use:   "align [PATH]",
		Short: "show or make the edits that bring application and documents to the truth",
		Long: `align finds what check finds of members/missing, members/extra, members/differs, probe/differs, cooldown/differs and
ramp/differs in the copies of applications and documents, and the edits that settle it. An edit replaces the bytes of a
value, a list entry or a table row; comments, order and layout stay. Each one is proven: the edited file is read again, the
difference is gone, and nothing else that the file says has changed. What cannot be proven, and what stands elsewhere, is
left, with its place and the reason.

Without --write it prints a diff, which git apply and patch -p1 take in the folder of the manifest, and what is left on
standard error. With --write it makes the edits: a file is replaced as a whole, and only if it is still as it was read.

The gateway's files, change orders and files of other repositories are never edited, nor is what an exception or a severity
lets pass. With a PATH below the manifest only files there are. Exit code 1: edits are pending, or something is left.`,
		Example: `  poolproof align
  poolproof align | git apply
  poolproof align docs --write
  poolproof align --pool orders --rule 'members/*' --format json`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.align(cmd, path, &f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.write, "write", false, "make the edits")
	flags.StringArrayVar(&f.allowRepos, "allow-repo", nil, "open other repositories whose path or address starts with `PREFIX` (repeatable)")
	o.ownFormat(cmd, "console", "json")
	return showFlags(cmd, "manifest", "output", "pool", "rule", "env", "lang", "now", "no-cache", "no-color", "allow-empty", "quiet", "verbose")
}

// align shows or makes the edits for the tree at path.
func (o *options) align(cmd *cobra.Command, path string, f *alignFlags) error {
	format, err := o.oneFormat(cmd, "console", "json")
	if err != nil {
		return err
	}
	r, err := o.request()
	if err != nil {
		return err
	}
	w, err := o.openWorkspace(path)
	if err != nil {
		return err
	}
	defer w.close()
	w.packed, w.whole = true, true
	ctx := cmd.Context()
	a := &aligner{o: o, w: w, request: r, write: f.write}
	if len(f.allowRepos) > 0 {
		repos := &repositories{ctx: ctx, root: w.root, allow: func(repo string) bool { return allowed(repo, f.allowRepos) }}
		defer repos.close()
		w.other = repos.tree
	}
	missing, err := a.find(ctx)
	if err != nil {
		if codeOf(err) != exitUsage && format == "json" {
			err = errors.Join(err, o.emit(a.writeJSON))
		}
		return err
	}
	a.locate()
	if f.write {
		if err := a.makeEdits(ctx); err != nil {
			return err
		}
	}
	say := a.writeConsole
	if format == "json" {
		say = a.writeJSON
	}
	err = o.emit(say)
	a.tell()
	if err != nil {
		return err
	}
	switch {
	case len(a.left) > 0, !f.write && a.edits() > 0:
		return &exitError{code: exitFindings}
	case missing != nil && !o.allowEmpty:
		return notChecked("nothing could be aligned: %s (--allow-empty accepts that)", *missing)
	}
	return nil
}

// find reads the tree and finds the edits. It returns what was asked for in vain, nil if nothing was.
func (a *aligner) find(ctx context.Context) (missing *schema.Text, err error) {
	o, w := a.o, a.w
	below := w.below
	loaded, err := w.load(ctx, o)
	if err != nil {
		return nil, err
	}
	opts := audit.Options{Rules: a.request.rules, Now: a.request.now, Pools: o.pools, RuleNames: o.rules, Env: o.poolEnv, Read: w.tree.Read}
	if w.below != "" {
		opts.Touched = w.touched(loaded)
	}
	prepared := audit.Prepare(&w.manifest, w.problems, loaded, opts)
	differences := prepared.Differences()
	a.loaded, a.below, a.result = loaded, below, differences.Result()
	missing = o.notFound(w, a.result)
	if o.noSuchEnv(&w.manifest, a.result) != nil { // what has no environment would pass for what was asked for
		return missing, nil
	}
	a.unreadable()
	if err := a.settle(ctx, prepared.Groups, differences); err != nil {
		return nil, notChecked("finding the edits: %w", err)
	}
	return missing, nil
}

// edits is how many edits there are.
func (a *aligner) edits() int {
	n := 0
	for _, f := range a.files {
		n += len(f.edits)
	}
	return n
}

// owing lists the documents whose members change, with the pools: somebody has to write since when.
func (a *aligner) owing() []owed {
	var out []owed
	seen := map[owed]bool{}
	for _, f := range a.files {
		if f.side != schema.Doc || a.write && !f.written {
			continue
		}
		for i := range f.edits {
			o := owed{f.path, f.edits[i].Pool}
			if f.edits[i].Item == schema.Members && !seen[o] {
				seen[o] = true
				out = append(out, o)
			}
		}
	}
	return out
}

// owed is a document that owes a new effective time for a pool.
type owed struct{ file, pool string }

// writeConsole prints the diff, or what was written.
func (a *aligner) writeConsole(out io.Writer) error {
	if a.write {
		return a.writeWritten(out)
	}
	return a.writeDiff(out)
}
