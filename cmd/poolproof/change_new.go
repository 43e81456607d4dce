package main

import (
	"context"
	"io"
	stdpath "path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	order "github.com/poolproof/poolproof/cmd/poolproof/change"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

func changeNewCommand(o *options) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{
		Use:   "new [PATH]",
		Short: "write the change order of a change",
		Long: `new compares two commits as ci does, or the last commit with what is staged, and writes the change order: front matter that
ci reads as evidence, and text for people below it. It says which pools and items change, before and after, by digest;
which copies follow in this change and which still owe it; the ramp that is frozen; and what the acceptance cases observed.

What only people know is left as TODO: who starts the change, when it takes effect, where a copy that is not in this change
was aligned. change verify names what is left.

Where the file is there already, only what was generated is written anew: what people wrote stays, and so does the ramp,
which is frozen. --ramp-from FILE freezes the ramp of that file's copy in its place.

--template takes a file of Go's text/template for the text below the front matter. It is written once; what stands between
{{open "NAME"}} and {{close "NAME"}}, each on a line of its own, is written anew each time. Its fields: .ID .Initiator
.Effective .Lang, and the lists .Pools; .Settings (Pool Env Side File Name Before After); .Items (Pool Env Item Side Digest;
Side is empty for what counts afterwards); .Debts (Pool Env Item Side File PaidBy Ref); .Ramps (Pool, Batches: Number What
Dwell MinSamples, Stops: Metric Above Below Baseline, RollbackTo RollbackCooldown SuspendAfter); .Drill (Command Tool Config
Seeds, Results: ID Pass Observed). Values are escaped for Markdown; {{code .X}} makes a code span, {{yaml .X}} a YAML scalar.`,
		Example: `  poolproof change new --base origin/main --id CHG-1042 --initiator alice --effective 2026-01-20T02:00:00+08:00
  poolproof change new --staged --id CHG-1042
  poolproof change new --base origin/main --id CHG-1042 --output -`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.changeNew(cmd.Context(), path, &f)
		},
	}
	f.compared(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.id, "id", "", "the `name` of the order")
	flags.StringVar(&f.initiator, "initiator", "", "`who` starts the change (default: GIT_AUTHOR_NAME)")
	flags.StringVar(&f.effective, "effective", "", "the `time` at which it takes effect, as in 2026-01-31T02:00:00+08:00")
	flags.StringVar(&f.rampFrom, "ramp-from", "", "freeze the ramp of the copy in this `file` of the head")
	flags.StringVar(&f.template, "template", "", "the `file` with the template of the text for people")
	flags.IntVar(&f.seeds, "seeds", defaultSeeds, "play each case under `N` seeds")
	return showFlags(cmd, "manifest", "output", "pool", "env", "lang", "no-cache", "quiet", "now", "allow-empty")
}

// orderDraft is an order that is being written.
type orderDraft struct {
	*dispute
	order order.Order
	body  *order.Template
	// path is the order's in the trees; file is where it is written, "-" for standard output.
	path, file string
	// old is the text that is brought up to date, if there is one.
	old []byte
	// effective is when the order takes effect, as far as that is known.
	effective time.Time
}

// changeNew writes the change order of a change.
func (o *options) changeNew(ctx context.Context, path string, f *changeFlags) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.seeds < 1 || f.seeds > maxSeeds {
		return usage("--seeds %d: from 1 to %d", f.seeds, maxSeeds)
	}
	w := &orderDraft{order: order.Order{Lang: r.lang, Initiator: f.initiator, Effective: f.effective}}
	if f.effective != "" {
		if _, err := time.Parse(time.RFC3339, f.effective); err != nil {
			return usage("--effective %s is no RFC 3339 time with its offset (2026-01-31T02:00:00+08:00)", f.effective)
		}
	}
	if f.template != "" {
		text, err := readNamed(f.template, true)
		if err != nil {
			return usage("--template: %w", err)
		}
		if w.body, err = order.ParseTemplate(filepath.Base(f.template), string(text)); err != nil {
			return usage("--template %s: %w", f.template, err)
		}
	}
	d, nothing, err := o.openDispute(path, r, f)
	defer d.close()
	w.dispute = d
	switch {
	case err != nil:
		return err
	case nothing != nil:
		return o.noOrder(*nothing)
	}
	first, err := d.judgeWith(ctx)
	if err != nil {
		return err
	}
	if first.Unread != nil {
		return notChecked("%w", first.Unread)
	}
	if missing, err := d.noSuchName(ctx, first); err != nil {
		return err
	} else if missing != nil {
		return o.noOrder(*missing)
	}
	if err := w.place(first); err != nil {
		return err
	}
	return w.write(ctx, first)
}

// noOrder says that there is nothing to write an order about.
func (o *options) noOrder(why schema.Text) error {
	if o.allowEmpty {
		o.note("%s", why.In(o.errorLanguage(nil)))
		return nil
	}
	return notChecked("there is no order to write: %s (--allow-empty accepts that)", why)
}

// place decides where the order stands, and reads what is there.
func (w *orderDraft) place(c *change.Change) error {
	f, o := w.flags, w.o
	w.order.ID = f.id
	if name := o.output; name != "" && name != "-" {
		w.file = name
		path, ok := w.inTree(name)
		if !ok {
			path = orderPath(c, or(f.id, "order"))
		}
		w.path = path
	} else {
		if f.id == "" {
			w.path = w.only(c)
			if w.path == "" {
				return usage("say what the order is called: --id CHG-1042 (or which file it is: --output FILE)")
			}
		} else {
			w.path = orderPath(c, f.id)
		}
		if err := w.ownPlace(w.path); err != nil {
			return err
		}
		if w.file = w.dispute.file(w.path); name == "-" {
			w.file = "-"
		}
	}
	where := w.file
	if where == "-" {
		where = w.dispute.file(w.path)
	}
	var err error
	if w.old, err = readOrder(where); err != nil {
		return notChecked("reading %s: %w", where, err)
	}
	if len(strings.TrimSpace(string(w.old))) == 0 {
		w.old = nil
	}
	if w.old != nil {
		known, err := order.Read(w.old)
		if err != nil {
			return notChecked("%s cannot be brought up to date: %w", where, err)
		}
		if f.id != "" && known.ID != "" && known.ID != f.id {
			return usage("%s is the change order %s, not %s", where, known.ID, f.id)
		}
		w.order.ID = or(known.ID, f.id)
		w.effective, _ = time.Parse(time.RFC3339, known.Effective)
	}
	if w.order.ID == "" {
		return usage("say what the order is called: --id CHG-1042 (or which file it is: --output FILE)")
	}
	if w.order.Initiator == "" {
		w.order.Initiator = strings.TrimSpace(o.env.getenv("GIT_AUTHOR_NAME"))
	}
	if w.order.Effective != "" && w.effective.IsZero() {
		w.effective, _ = time.Parse(time.RFC3339, w.order.Effective)
	}
	return nil
}

// only is the one change order that comes with the change already; empty if there is none, or are several.
func (w *orderDraft) only(c *change.Change) string {
	if list := ordersOf(c); len(list) == 1 {
		return list[0]
	}
	return ""
}

// ordersOf lists the files with change orders that come with the change.
func ordersOf(c *change.Change) []string {
	var out []string
	for _, f := range c.Head.Loaded.Files {
		if len(f.Result.Orders) > 0 && c.Changed[f.Path] && !slices.Contains(out, f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}

// orderPath is where an order of a name goes: where the manifest's source of orders looks for such.
func orderPath(c *change.Change, id string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.', r >= 0x4e00 && r <= 0x9fff:
			return r
		}
		return '-'
	}, id)
	if strings.Trim(name, ".-") == "" {
		name = "order"
	}
	name = strings.TrimLeft(name, ".")
	for _, s := range c.Head.Manifest.Sources {
		if s.Side != schema.Order || s.Repo != "" {
			continue
		}
		for _, pattern := range s.Files {
			star := strings.LastIndex(pattern, "*")
			if star < 0 {
				continue
			}
			for _, at := range []string{pattern[:star] + name + pattern[star+1:], strings.ReplaceAll(strings.ReplaceAll(pattern, "**/", ""), "*", name)} {
				if g, err := tree.CompileGlob(pattern); err == nil && tree.Valid(at) {
					if _, ok := g.Match(at); ok && !strings.ContainsAny(at, "*?[{") {
						return at
					}
				}
			}
		}
	}
	return "changes/" + name + ".md"
}

// write writes the order, if there is one to write.
func (w *orderDraft) write(ctx context.Context, first *change.Change) error {
	text, err := w.compose(ctx, first)
	if err != nil || text == nil {
		return err
	}
	if w.file == "-" {
		if _, err := w.o.env.out.Write(text); err != nil {
			return notChecked("%w", err)
		}
		return nil
	}
	if err := makeFolder(filepath.Dir(w.file)); err != nil {
		return notChecked("%w", err)
	}
	if err := writeFile(w.file, text); err != nil {
		return notChecked("%w", err)
	}
	return w.told(text, first.Head.Manifest)
}

// orderPattern is the pattern of a source that reads an order and those beside it.
func orderPattern(path string) string {
	if dir, ext := stdpath.Dir(path), stdpath.Ext(path); dir != "." && ext != "" {
		return dir + "/*" + ext
	}
	return path
}

// told says what was written and what is left to do.
func (w *orderDraft) told(text []byte, m *schema.Manifest) error {
	if w.o.quiet {
		return nil
	}
	say := func(t schema.Text) error {
		if _, err := io.WriteString(w.o.env.out, t.In(w.request.lang)+"\n"); err != nil {
			return notChecked("%w", err)
		}
		return nil
	}
	shown := shownFile(w.file)
	what := schema.Textf("%s is written", "已写入 %s", shown)
	if w.old != nil {
		what = schema.Textf("%s is brought up to date", "已更新 %s", shown)
	}
	if err := say(what); err != nil {
		return err
	}
	if !readAsOrder(m, w.path) {
		if err := say(schema.Textf("no source of the manifest reads it as a change order, so that it proves nothing yet; add one: {side: order, files: [%q]}", "清单中没有来源将其读作变更单，故尚不能作为证据；请添加来源：{side: order, files: [%q]}", orderPattern(w.path))); err != nil {
			return err
		}
	}
	todo := order.Todo(text)
	if len(todo) == 0 {
		return nil
	}
	if err := say(schema.Textf("%d places are still to be filled in (TODO); poolproof change verify names them", "尚有 %d 处待填写（TODO）；poolproof change verify 会逐一指出", len(todo))); err != nil {
		return err
	}
	if slices.ContainsFunc(todo, func(t order.Open) bool { return strings.HasPrefix(t.What, "ramp.") }) {
		return say(schema.Textf("once the ramp is filled in, run this again: digests and text are those of the whole ramp", "填写 ramp 之后请再次运行本命令：摘要与正文以完整的放量方案为准"))
	}
	return nil
}
