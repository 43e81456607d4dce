package change_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
)

// TestWholeIsBothEnds: a change of the manifest has everything looked at, and what is the same at both ends is read and
// judged once. The report is what two full audits and the evidence of every pool give.
func TestWholeIsBothEnds(t *testing.T) {
	played := 0
	for file, ends := range changes(t) {
		base, head := ends[0], ends[1]
		before, after := base["poolproof.yaml"], head["poolproof.yaml"]
		if before == "" || after == "" {
			continue
		}
		for name, add := range map[string][2]string{
			"comment":  {"", "# a remark\n"},
			"severity": {"", "severity: {members/weights: info}\n"},
			"vars":     {"vars: {NOBODY_ASKS: \"1\"}\n", "vars: {NOBODY_ASKS: \"2\"}\n"},
			"entry":    {"", "aliases: {nowhere.example: 192.0.2.77}\n"},
		} {
			if key, _, _ := strings.Cut(add[1], ":"); strings.Contains(before+after, key+":") {
				continue
			}
			base["poolproof.yaml"], head["poolproof.yaml"] = before+add[0], after+add[1]
			for _, packer := range []load.Packer{nil, new(pack.Packer)} {
				c, err := judged(base, head, packer)
				if err != nil {
					break
				}
				played++
				if c.Whole == nil {
					t.Errorf("%s, %s: not everything is looked at", file, name)
				}
				want, report, sides := bothEnds(t, base, head)
				if d := cmp.Diff(sides, c.Head.Totals.Sides); d != "" {
					t.Errorf("%s, %s: the copies of head:\n%s", file, name, d)
				}
				if d := cmp.Diff(owed(want, report), owed(c.Findings, c.Evidence)); d != "" {
					t.Errorf("%s, %s, packed %v:\n%s", file, name, packer != nil, d)
				}
			}
		}
	}
	if played < 200 {
		t.Errorf("only %d changes were judged", played)
	}
}

// TestPartIsWhole: what is said of the pools that a change touches is what two full audits say of them, however little of
// the trees is read.
func TestPartIsWhole(t *testing.T) {
	played, alone := 0, 0
	for file, ends := range changes(t) {
		base, head := ends[0], ends[1]
		for _, packer := range []load.Packer{nil, new(pack.Packer)} {
			c, err := judged(base, head, packer)
			if err != nil || c.Whole != nil || len(c.Touched) == 0 {
				break
			}
			played++
			touched := func(f *schema.Finding) bool {
				return !strings.HasPrefix(f.Rule, "exception/") && slices.ContainsFunc(c.Touched, func(p evidence.Pool) bool {
					return p.Name == f.Pool && (p.Env == f.Env || f.Env == "")
				})
			}
			all, report, sides := bothEnds(t, base, head)
			if d := cmp.Diff(sides, c.Head.Totals.Sides); d != "" {
				t.Errorf("%s: the copies of head:\n%s", file, d)
			}
			var want, got []schema.Finding
			for i := range all {
				if touched(&all[i]) {
					want = append(want, all[i])
					if strings.HasPrefix(all[i].Rule, "pool/") {
						alone++
					}
				}
			}
			for i := range c.Findings {
				if touched(&c.Findings[i]) {
					got = append(got, c.Findings[i])
				}
			}
			if d := cmp.Diff(owed(want, report), owed(got, c.Evidence)); d != "" {
				t.Errorf("%s, packed %v:\n%s", file, packer != nil, d)
			}
		}
	}
	if played < 100 || alone < 20 {
		t.Errorf("only %d changes were judged, with %d pools that lack a copy", played, alone)
	}
}

// changes are the changes of the cases, by name.
func changes(t *testing.T) map[string][2]map[string]string {
	t.Helper()
	cases, err := filepath.Glob("../../testdata/cases/ci/*.txtar")
	if err != nil || len(cases) < 50 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	out := map[string][2]map[string]string{}
	for _, file := range cases {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ends := [2]map[string]string{{}, {}}
		for _, f := range a.Files {
			for i, end := range []string{"base/", "head/"} {
				if rest, ok := strings.CutPrefix(f.Name, end); ok {
					ends[i][rest] = string(f.Data)
				}
			}
		}
		out[filepath.Base(file)] = ends
	}
	return out
}

func judged(base, head map[string]string, packer load.Packer) (*change.Change, error) {
	return change.Judge(context.Background(), change.Options{
		Base: memory{"b", base, new(atomic.Int64)}, Head: memory{"h", head, new(atomic.Int64)},
		Load: load.Options{Adapters: all.Adapters(), Packer: packer, Workers: 1}, Rules: rules.All(), Now: moment,
	})
}

// bothEnds is the report on a change by two audits that know nothing of each other, with what copies the head has.
func bothEnds(t *testing.T, base, head map[string]string) ([]schema.Finding, *evidence.Report, map[schema.Side]int) {
	var own [2]schema.Manifest
	var problems [2][]schema.Problem
	for i, files := range []map[string]string{base, head} {
		own[i], problems[i] = manifest.Load("poolproof.yaml", []byte(files["poolproof.yaml"]))
		own[i].File = "poolproof.yaml"
	}
	u := evidence.Unite(&own[0], &own[1])
	var ends [2]evidence.Tree
	for i, files := range []map[string]string{base, head} {
		m := []*schema.Manifest{u.Base, u.Head}[i]
		tree := memory{[]string{"b", "h"}[i], files, new(atomic.Int64)}
		l, err := load.Load(context.Background(), tree, m, load.Options{Adapters: all.Adapters(), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		u.Settle(l, i == 1)
		o := audit.Options{Rules: rules.All(), Now: moment, Workers: 1}
		if base["poolproof.yaml"] != head["poolproof.yaml"] {
			o.Own = &own[i]
		}
		if i == 1 && !u.First {
			grants := evidence.GrantsOf(ends[0].Loaded)
			o.Granted, o.Marked = grants.Granted, grants.Marked
		}
		result, err := audit.Audit(context.Background(), m, problems[i], l, o)
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = evidence.Tree{Revision: tree.revision, Loaded: l, Audit: result}
	}
	report, err := evidence.Judge(context.Background(), evidence.Options{Union: u, Base: ends[0], Head: ends[1], Rules: rules.All(), Now: moment})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ends[1].Audit.Findings {
		report.Ahead(&ends[1].Audit.Findings[i])
	}
	report.Status(ends[0].Audit.Findings, ends[1].Audit.Findings, nil)
	return slices.Concat(ends[1].Audit.Findings, report.Findings), report, ends[1].Audit.Sides
}

// owed are findings and obligations, sorted.
func owed(findings []schema.Finding, r *evidence.Report) string {
	var lines []string
	for i := range findings {
		f := &findings[i]
		lines = append(lines, fmt.Sprintf("%s %v %s %s %s %s:%d %s", f.Rule, f.Severity, f.Status, f.Pool, f.Env, f.At.File, f.At.Span.Start, f.Message.En))
	}
	for _, o := range r.Obligations {
		lines = append(lines, fmt.Sprintf("owed: %+v", o))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestOneVarTouchesOnePool: of a file that says the same of all pools but one, the change touches that one, also where copies
// are packed.
func TestOneVarTouchesOnePool(t *testing.T) {
	const sources = "sources:\n  - {side: app, format: mapped, files: [app.yaml], map: {pool: {each: \"pools.*\", name: key}, members: hosts}}\n"
	base := map[string]string{"app.yaml": "pools:\n  a: {hosts: [\"${A}:80\"]}\n  b: {hosts: [\"10.0.0.2:80\"]}\n  c: {hosts: [\"10.0.0.3:80\"]}\n"}
	head := map[string]string{"app.yaml": base["app.yaml"]}
	base["poolproof.yaml"], head["poolproof.yaml"] = sources+"vars: {A: 10.0.0.1}\n", sources+"vars: {A: 10.0.0.9}\n"
	for _, packer := range []load.Packer{nil, new(pack.Packer)} {
		c, err := judged(base, head, packer)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]evidence.Pool{{Name: "a"}}, c.Touched); d != "" {
			t.Errorf("packed %v:\n%s", packer != nil, d)
		}
	}
}

// TestMarkerOfTwoSources: a marker of a file that two sources read is complained about once.
func TestMarkerOfTwoSources(t *testing.T) {
	files := map[string]string{
		"poolproof.yaml": "sources:\n  - {side: gateway, format: poolproof, files: [p.yaml]}\n  - {side: app, format: poolproof, files: [p.yaml]}\n",
		"p.yaml":         "# poolproof:ignore members/missing until=2026-12-31 by=bob because=soon\npools: {a: {members: [{address: 10.0.0.1, port: 80}]}}\n",
	}
	head := map[string]string{"poolproof.yaml": "# a remark\n" + files["poolproof.yaml"], "p.yaml": files["p.yaml"]}
	c, err := judged(files, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range c.Findings {
		if c.Findings[i].Rule == "exception/incomplete" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d findings about one marker", n)
	}
}
