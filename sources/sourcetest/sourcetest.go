// Package sourcetest holds an adapter to its sample: a file of the format under the adapter's testdata folder and, beside
// it, a dump of everything that must be understood of it, with places.
package sourcetest

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden reads testdata/NAME with the adapter and compares the dump with testdata/NAME.golden.
func Golden(t *testing.T, a sources.Adapter, name string, source schema.Source) {
	t.Helper()
	path := filepath.Join("testdata", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := Dump(Read(a, name, text, source), text)
	golden := path + ".golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Read runs an adapter on one text; siblings are read from testdata.
func Read(a sources.Adapter, name string, text []byte, source schema.Source) sources.Result {
	if source.Side == "" {
		source.Side = a.Sides[0]
	}
	if source.Profile == "" {
		source.Profile = a.Profile
	}
	return a.Read(sources.Input{Path: name, Data: text, Source: &source, Sibling: func(base string) ([]byte, error) {
		if base != filepath.Base(base) {
			return nil, fmt.Errorf("%s: %w", base, fs.ErrNotExist)
		}
		return os.ReadFile(filepath.Join("testdata", base))
	}})
}

// Dump writes a result as text, one value a line with its position.
func Dump(r sources.Result, text []byte) string {
	var b strings.Builder
	pos := func(s schema.Span) string {
		if !s.Known() {
			return "-"
		}
		if s.File != 0 {
			return fmt.Sprintf("file%d@%d", s.File, s.Start)
		}
		if int(s.End) > len(text) || s.Start > s.End {
			return fmt.Sprintf("BAD(%d,%d)", s.Start, s.End)
		}
		head := text[:s.Start]
		line := strings.Count(string(head), "\n") + 1
		col := utf8.RuneCount(head[strings.LastIndexByte(string(head), '\n')+1:]) + 1
		return fmt.Sprintf("%d:%d %q", line, col, clip(string(text[s.Start:s.End])))
	}
	problems := func(indent string, ps []schema.Problem) {
		for _, p := range ps {
			fmt.Fprintf(&b, "%sproblem %s %s field=%q got=%q want=%q: %s (%s)\n", indent, p.Rule, p.Severity, p.Field, p.Got, p.Want, p.Text.En, pos(p.At))
		}
	}
	for i := range r.Copies {
		c := &r.Copies[i]
		fmt.Fprintf(&b, "copy %s pool=%q owned=%v profile=%q complete=%v (%s)\n", c.Side, c.Pool, c.Owned, c.Profile, c.Complete, pos(c.PoolAt))
		for _, n := range c.Candidates {
			fmt.Fprintf(&b, "  candidate %q (%s)\n", n.Text, pos(n.At))
		}
		if !c.Effective.IsZero() {
			fmt.Fprintf(&b, "  effective %s (%s)\n", c.Effective.Format("2006-01-02T15:04:05Z07:00"), pos(c.EffectiveAt))
		}
		for item := schema.Members; item < schema.Items; item++ {
			if c.States(item) {
				fmt.Fprintf(&b, "  item %s (%s)\n", item, pos(c.ItemAt[item]))
			}
		}
		for j := range c.Members {
			m := &c.Members[j]
			fmt.Fprintf(&b, "  member %s", m.ID())
			if m.Origin != schema.Static {
				fmt.Fprintf(&b, " from=%s", m.Origin)
			}
			if m.HasWeight {
				fmt.Fprintf(&b, " weight=%d", m.Weight)
			}
			if m.HasPriority {
				fmt.Fprintf(&b, " priority=%d", m.Priority)
			}
			if m.Backup != schema.Unsaid {
				fmt.Fprintf(&b, " backup=%v", m.Backup == schema.Yes)
			}
			if m.State != schema.StateUnsaid {
				fmt.Fprintf(&b, " state=%s", m.State)
			}
			if m.PortImplied {
				b.WriteString(" port-implied")
			}
			for _, f := range m.Extra {
				fmt.Fprintf(&b, " %s=%s", f.Path, f.Value)
			}
			fmt.Fprintf(&b, " (%s)\n", pos(m.At))
		}
		for _, t := range c.Batches {
			fmt.Fprintf(&b, "  batch share=%v/%v dwell=%v/%v manual=%v samples=%d implied=%v (%s)\n", t.HasShare, t.Share, t.HasDwell, t.Dwell, t.Manual, t.MinSamples, t.Implied, pos(t.At))
		}
		for _, s := range c.Stops {
			fmt.Fprintf(&b, "  stop %s above=%v/%v below=%v/%v against=%q (%s)\n", s.Metric, s.HasAbove, s.Above, s.HasBelow, s.Below, s.Against, pos(s.At))
		}
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "  %s = %s (%s)\n", f.Path, f.Value, pos(f.At))
		}
		for _, u := range c.Unresolved {
			fmt.Fprintf(&b, "  unresolved %s quiet=%v %q (%s)\n", u.Path, u.Quiet, u.Raw, pos(u.At))
		}
		problems("  ", c.Problems)
		if p, ok := profile.Lookup(c.Profile); ok {
			for _, e := range p.EffectiveOf(c) {
				fmt.Fprintf(&b, "  effective %s = %s clamped=%v unsure=%v other=%s: %s\n", e.Path, e.Value, e.Clamped, e.Unsure, e.Other, e.Why.En)
			}
		}
	}
	for i := range r.Orders {
		o := &r.Orders[i]
		fmt.Fprintf(&b, "order %s valid=%v pools=%v effective=%s items=%d ramps=%v approvals=%d (%s)\n", o.ID, o.Valid, o.Pools, o.Effective.UTC().Format("2006-01-02T15:04:05Z"), len(o.Items), o.Ramps, len(o.Approvals), pos(o.At))
	}
	problems("", r.Problems)
	return b.String()
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:28] + "..." + s[len(s)-28:]
	}
	return s
}

// Corpus runs an adapter on every seed and on damaged forms of it: cut short at every n-th byte and with one byte
// changed. It fails on panics and on spans outside the text, which is what fuzzing checks too.
func Corpus(t *testing.T, a sources.Adapter, name string, text []byte) {
	t.Helper()
	step := max(1, len(text)/200)
	for i := 0; i <= len(text); i += step {
		Check(t, a, name, text[:i])
		if i < len(text) {
			damaged := append([]byte(nil), text...)
			damaged[i] ^= 0x15
			Check(t, a, name, damaged)
		}
	}
}

// Check reads a text and holds every span to the text's bounds.
func Check(t *testing.T, a sources.Adapter, name string, text []byte) sources.Result {
	t.Helper()
	r := Read(a, name, text, schema.Source{Profile: a.Profile})
	bad := []string{}
	check := func(what string, s schema.Span) {
		if s.File == 0 && (s.Start > s.End || int(s.End) > len(text)) {
			bad = append(bad, fmt.Sprintf("%s (%d,%d) of %d", what, s.Start, s.End, len(text)))
		}
	}
	for i := range r.Copies {
		c := &r.Copies[i]
		check("pool", c.PoolAt)
		for _, s := range c.ItemAt {
			check("item", s)
		}
		for _, m := range c.Members {
			check("member", m.At)
			check("weight", m.WeightAt)
		}
		for _, f := range c.Fields {
			check(string(f.Path), f.At)
		}
		for _, u := range c.Unresolved {
			check("unresolved "+string(u.Path), u.At)
		}
		for _, p := range c.Problems {
			check(p.Rule, p.At)
		}
	}
	for _, p := range r.Problems {
		check(p.Rule, p.At)
	}
	sort.Strings(bad)
	if len(bad) > 0 {
		t.Fatalf("spans outside the text %q: %v", clip(string(text)), bad)
	}
	return r
}
