package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

func inspectCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "inspect [PATH|-]", Short: "show everything that was understood", Args: onePath,
		Long: `inspect shows every copy that the adapters read: every value as it is written and as the engine uses it, and where
it stands. "-" reads one file from standard input and recognises its format.`,
		Example: `  poolproof inspect
  poolproof inspect gateway/haproxy.cfg --format json
  kubectl get configmap gateway -o jsonpath='{.data.haproxy\.cfg}' | poolproof inspect -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.inspect(cmd, path)
		},
	}
	o.ownFormat(cmd, "console", "json")
	return showFlags(cmd, "manifest", "output", "fail-on", "pool", "env", "lang", "no-cache", "allow-empty")
}

func (o *options) inspect(cmd *cobra.Command, path string) error {
	ctx := cmd.Context()
	format, err := o.oneFormat(cmd, "console", "json")
	if err != nil {
		return err
	}
	r, err := o.request()
	if err != nil {
		return err
	}
	var w *workspace
	if path == "-" {
		w, err = o.openInput(ctx)
	} else {
		w, err = o.openWorkspace(path)
	}
	var loaded *load.Loaded
	if err == nil {
		defer w.close()
		loaded, err = w.load(ctx, o)
	}
	if err != nil {
		if codeOf(err) != exitUsage && format == "json" {
			err = errors.Join(err, o.emit(func(out io.Writer) error { return (&inspector{}).write(out, format, r.lang, nil, nil, nil) }))
		}
		return err
	}
	copies, findings, res, err := o.understood(ctx, w, loaded, r)
	if err != nil {
		return err
	}
	v := inspector{source: w.source()}
	if err := o.emit(func(out io.Writer) error { return v.write(out, format, r.lang, copies, findings, res) }); err != nil {
		return err
	}
	switch code := verdict(findings, len(copies) > 0, r.failOn, o.allowEmpty); code {
	case exitClean:
		return nil
	case exitNotChecked:
		what := schema.Textf("no copy of a pool was found", "没有找到任何池的副本")
		if missing := o.notFound(w, res); missing != nil {
			what = *missing
		}
		return notChecked("nothing was understood: %s (--allow-empty accepts that)", what)
	default:
		return &exitError{code: code}
	}
}

// understood returns the copies to show and what was wrong while they were read. No rule judges here; they only lend
// their severities to what adapters found.
func (o *options) understood(ctx context.Context, w *workspace, loaded *load.Loaded, r request) ([]*schema.Copy, []schema.Finding, *audit.Result, error) {
	var reading []rules.Rule
	for _, rule := range r.rules {
		if !strings.HasPrefix(rule.ID, "exception/") {
			rule.Copy, rule.Pool, rule.Run = nil, nil, nil
			reading = append(reading, rule)
		}
	}
	opts := audit.Options{Rules: reading, Now: r.now, Pools: o.pools, Env: o.poolEnv, Read: w.tree.Read}
	if w.below != "" {
		opts.Touched = w.touched(loaded)
	}
	res, err := audit.Audit(ctx, &w.manifest, w.problems, loaded, opts)
	if err != nil {
		return nil, nil, nil, notChecked("judging the copies: %w", err)
	}
	findings := res.Findings[:0]
	for _, f := range res.Findings {
		// What a copy leaves unresolved, and what belongs to no pool, stands with the copies themselves.
		if f.At.Side != "" && (f.Rule == "source/unresolved" || f.Rule == "source/skipped" && f.Pool == "") {
			continue
		}
		findings = append(findings, f)
	}
	if o.noSuchEnv(&w.manifest, res) != nil {
		return nil, nil, res, nil
	}
	report.Locate(findings, w.source())
	report.Sort(findings)
	report.Fingerprints(findings)
	return o.inspected(res, w.below), findings, res, nil
}

// inspected lists the copies to show, in the order of files: those of pools, and sections of documents that no known
// pool claims.
func (o *options) inspected(res *audit.Result, below string) []*schema.Copy {
	seen := map[*schema.Copy]bool{}
	names := audit.PoolNames(res.Groups, o.pools)
	asks := func(pool string) bool {
		return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return reconcile.Key(n) == reconcile.Key(pool) })
	}
	var out []*schema.Copy
	add := func(c *schema.Copy, pool string) {
		here := below == "" || c.File() == below || strings.HasPrefix(c.File(), below+"/")
		if !seen[c] && here && (o.poolEnv == "" || c.Env == "" || c.Env == o.poolEnv) && asks(pool) {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, g := range res.Groups {
		for _, c := range g.Copies {
			add(c, g.Pool)
		}
	}
	for _, c := range res.Unbound {
		add(c, c.Pool)
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

// inspector writes copies.
type inspector struct {
	source report.Source
	lines  lineIndex
}

// write writes the copies and what was wrong with them. A nil result is that of a run that could not read anything.
func (v *inspector) write(w io.Writer, format, lang string, copies []*schema.Copy, findings []schema.Finding, res *audit.Result) error {
	if format == "json" {
		return v.json(w, copies, findings)
	}
	return v.console(w, copies, findings, res, lang)
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
	return report.Bound(strings.ToValidUTF8(s, "\uFFFD"))
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
	if err := report.EncodeJSON(w, doc); err != nil {
		return fmt.Errorf("writing the copies: %w", err)
	}
	return nil
}
