package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
)

func inspectCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use: "inspect [PATH|-]", Short: "show everything that was understood", Args: cobra.MaximumNArgs(1),
		Long: `inspect shows every copy that the adapters read: every value as it is written and as the engine uses it, and where
it stands. "-" reads one file from standard input and recognises its format.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) > 0 {
				path = args[0]
			}
			return o.inspect(cmd.Context(), path)
		},
	}
}

func (o *options) inspect(ctx context.Context, path string) error {
	if o.format != "" && o.format != "console" && o.format != "json" {
		return usage("inspect --format %s: one of console, json", o.format)
	}
	now, err := o.moment()
	if err != nil {
		return err
	}
	lang, err := o.language()
	if err != nil {
		return err
	}
	var w *workspace
	if path == "-" {
		if w, err = o.openInput(); err != nil {
			return err
		}
	} else if w, err = o.openWorkspace(path); err != nil {
		return err
	}
	defer w.close()
	loaded, err := w.load(ctx, o)
	if err != nil {
		return err
	}
	var reading []rules.Rule
	for _, r := range rules.All() {
		if r.Copy == nil && r.Pool == nil && r.Run == nil && !strings.HasPrefix(r.ID, "exception/") {
			reading = append(reading, r)
		}
	}
	res, err := audit.Audit(ctx, &w.manifest, w.problems, loaded, audit.Options{Rules: reading, Now: now, Pools: o.pools, Env: o.poolEnv, Keep: true})
	if err != nil {
		return notChecked("judging the copies: %w", err)
	}
	findings := res.Findings[:0]
	for _, f := range res.Findings {
		if f.Rule != "source/unresolved" && f.Rule != "source/skipped" {
			findings = append(findings, f)
		}
	}
	source := w.source()
	report.Locate(findings, source)
	report.Sort(findings)
	report.Fingerprints(findings)
	copies := o.inspected(res, loaded, w.below)
	out, done, err := o.stdoutOrFile()
	if err != nil {
		return err
	}
	v := inspector{source: source}
	if o.format == "json" {
		err = v.json(out, copies, findings)
	} else {
		err = v.console(out, copies, findings, lang)
	}
	if err := done(err); err != nil {
		return notChecked("%w", err)
	}
	if len(copies) == 0 && len(findings) == 0 && !o.allowEmpty {
		return notChecked("nothing was understood: no copy of a pool was found (--allow-empty accepts that)")
	}
	return nil
}

// inspected lists the copies to show, in the order of files: those of pools, and sections of documents that no known
// pool claims.
func (o *options) inspected(res *audit.Result, l *load.Loaded, below string) []*schema.Copy {
	want := func(c *schema.Copy) bool {
		if below != "" && c.File() != below && !strings.HasPrefix(c.File(), below+"/") {
			return false
		}
		if o.poolEnv != "" && c.Env != "" && c.Env != o.poolEnv {
			return false
		}
		if len(o.pools) == 0 {
			return true
		}
		for _, p := range o.pools {
			if reconcile.Key(p) == reconcile.Key(c.Pool) {
				return true
			}
		}
		return false
	}
	seen := map[*schema.Copy]bool{}
	var out []*schema.Copy
	add := func(c *schema.Copy) {
		if !seen[c] && want(c) {
			out = append(out, c)
		}
		seen[c] = true
	}
	for _, g := range res.Groups {
		for _, c := range g.Copies {
			if len(o.pools) > 0 {
				for _, p := range o.pools {
					if reconcile.Key(p) == reconcile.Key(g.Pool) && !seen[c] {
						seen[c] = true
						out = append(out, c)
					}
				}
				continue
			}
			add(c)
		}
	}
	for _, c := range res.Unbound {
		add(c)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.File() != b.File() {
			return a.File() < b.File()
		}
		return a.PoolAt.Start < b.PoolAt.Start
	})
	return out
}

// openInput reads one file from standard input into a tree of its own.
func (o *options) openInput() (*workspace, error) {
	data, err := io.ReadAll(io.LimitReader(o.env.in, 32<<20+1))
	if err != nil {
		return nil, notChecked("reading standard input: %w", err)
	}
	if len(data) > 32<<20 {
		return nil, notChecked("standard input is larger than 32 MiB")
	}
	a, ok := load.Detect(all.Adapters(), "-", data, "")
	if !ok {
		return nil, notChecked("the format of standard input was not recognised")
	}
	w := &workspace{tree: single{data}}
	w.manifest = schema.Manifest{File: "-", Discovered: true, Sources: []schema.Source{{Side: a.Sides[0], Format: a.Name, Files: []string{"-"}}}}
	return w, nil
}

// stdoutOrFile returns where a command's own output goes, and how to finish it.
func (o *options) stdoutOrFile() (io.Writer, func(error) error, error) {
	if o.output == "" {
		return o.env.out, func(err error) error { return err }, nil
	}
	var b strings.Builder
	return &b, func(err error) error {
		if err != nil {
			return err
		}
		return writeFile(o.output, []byte(b.String()))
	}, nil
}

// inspector writes copies.
type inspector struct {
	source report.Source
	lines  lineIndex
}

// line returns the line of a span of a copy, 0 if it is not known.
func (v *inspector) line(c *schema.Copy, at schema.Span) int {
	if !at.Known() {
		return 0
	}
	return v.lines.line(v.source, rules.PlaceOf(c, at))
}

// written returns the text of a value as it stands in the file, on one line and of bounded length.
func (v *inspector) written(c *schema.Copy, f schema.Field) string {
	if !f.At.Known() {
		return f.Value.String()
	}
	text, ok := v.source(rules.PlaceOf(c, f.At))
	if !ok || int(f.At.End) > len(text) || f.At.End-f.At.Start > 200 {
		return f.Value.String()
	}
	s := string(text[f.At.Start:f.At.End])
	if strings.ContainsAny(s, "\n\r") {
		return f.Value.String()
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func (v *inspector) json(w io.Writer, copies []*schema.Copy, findings []schema.Finding) error {
	doc := struct {
		Schema   string                `json:"schema"`
		Copies   []*copyJSON           `json:"copies"`
		Problems []*report.JSONFinding `json:"problems"`
	}{"poolproof/v1", []*copyJSON{}, []*report.JSONFinding{}}
	for _, c := range copies {
		doc.Copies = append(doc.Copies, v.copy(c))
	}
	for i := range findings {
		doc.Problems = append(doc.Problems, report.FindingJSON(&findings[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the copies: %w", err)
	}
	return nil
}
