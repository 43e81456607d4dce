package align_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/manifest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tb is what tests, fuzz tests and property tests have in common.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

// bench is a truth, a file, and how the file is read.
type bench struct {
	truth   map[string]*reconcile.View // by pool
	source  schema.Source
	adapter sources.Adapter
	path    string
	sibling func(base string) ([]byte, error)
}

func adapters() []sources.Adapter { return all.Adapters() }

func loadManifest(text []byte) (schema.Manifest, []schema.Problem) {
	return manifest.Load("poolproof.yaml", text)
}

func adapterOf(t tb, name string) sources.Adapter {
	t.Helper()
	for _, a := range all.Adapters() {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("no format %q", name)
	return sources.Adapter{}
}

func newBench(t tb, truth, manifestText []byte, format, path string) *bench {
	t.Helper()
	b := &bench{truth: map[string]*reconcile.View{}, adapter: adapterOf(t, format), path: path}
	r := adapterOf(t, "poolproof").Read(sources.Input{Path: "truth.yaml", Data: truth, Source: &schema.Source{Side: schema.Gateway}})
	for _, p := range r.Problems {
		t.Fatalf("truth: %s", p.Text.En)
	}
	for i := range r.Copies {
		for _, p := range r.Copies[i].Problems {
			t.Fatalf("truth: %s", p.Text.En)
		}
		b.truth[reconcile.Key(r.Copies[i].Pool)] = reconcile.NewView(&r.Copies[i])
	}
	b.source = schema.Source{Side: b.adapter.Sides[0], Profile: b.adapter.Profile}
	if manifestText != nil {
		m, problems := loadManifest(manifestText)
		for _, p := range problems {
			t.Fatalf("manifest: %s", p.Text.En)
		}
		b.source.Map, b.source.Side = m.Sources[0].Map, m.Sources[0].Side
	}
	return b
}

func (b *bench) read(text []byte) sources.Result {
	return b.adapter.Read(sources.Input{Path: b.path, Data: text, Source: &b.source, Sibling: b.sibling})
}

// compare compares a copy with the truth on everything.
func compare(truth *reconcile.View, c *schema.Copy) []reconcile.Divergence {
	out := []reconcile.Divergence{}
	for _, item := range schema.Reconciled() {
		if !truth.Copy.States(item) || !c.States(item) {
			continue
		}
		switch item {
		case schema.Members:
			out = append(out, reconcile.MembersOf(truth, c, nil)...)
		case schema.Ramp:
			out = append(out, reconcile.Ramps(truth, c)...)
			fallthrough
		default:
			out = append(out, reconcile.Scalars(item, truth, c)...)
		}
	}
	return out
}

// tasks pairs what the text says with the truth, as the command does.
func (b *bench) tasks(text []byte) []align.Task {
	r := b.read(text)
	var copies []*schema.Copy
	for i := range r.Copies {
		copies = append(copies, &r.Copies[i])
	}
	m := &schema.Manifest{}
	for _, v := range b.truth {
		m.Pools = append(m.Pools, schema.PoolEntry{Name: v.Copy.Pool})
	}
	var tasks []align.Task
	for _, g := range reconcile.Pair(copies, m, nil).Groups {
		truth := b.truth[reconcile.Key(g.Pool)]
		if truth == nil {
			continue
		}
		for _, c := range g.Copies {
			tasks = append(tasks, align.Task{Pool: g.Pool, Env: g.Env, Copy: c, Compare: func(c *schema.Copy) []reconcile.Divergence { return compare(truth, c) }})
		}
	}
	return tasks
}

func apply(t tb, text []byte, edits []align.Edit) []byte {
	t.Helper()
	var out []byte
	pos := 0
	for _, e := range edits {
		if e.Start < pos || e.End < e.Start || e.End > len(text) {
			t.Fatalf("edit %d-%d does not follow %d in a text of %d bytes", e.Start, e.End, pos, len(text))
		}
		out = append(append(out, text[pos:e.Start]...), e.New...)
		pos = e.End
	}
	return append(out, text[pos:]...)
}

func notes(edits []align.Edit, left []align.Left) string {
	var b strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&b, "edit %s: %s\n", e.Pool, e.Settles.En)
		if e.Settles.Zh == "" || e.Settles.En == "" {
			fmt.Fprintf(&b, "  says nothing\n")
		}
	}
	for _, l := range left {
		fmt.Fprintf(&b, "left %s: %s.%s %s want %q got %q: %s\n", l.Pool, l.Divergence.Item, l.Divergence.Field, l.Divergence.Member, l.Divergence.Want, l.Divergence.Got, l.Why.En)
	}
	return b.String()
}

// TestGolden brings the file in/PATH of each case to the truth and compares with out/PATH.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(raw)
	b, section := caseOf(t, raw)
	path := b.path
	text := textOf(section["in/"+path])
	edits, left := align.File(text, b.tasks(text), b.read)
	out := apply(t, text, edits)
	show := string(bytes.ReplaceAll(out, []byte("\r"), []byte("^M")))
	if !strings.HasSuffix(show, "\n") {
		show += "<end>\n"
	}
	if *update {
		kept := a.Files[:0]
		for _, f := range a.Files {
			if f.Name != "notes" && !strings.HasPrefix(f.Name, "out/") {
				kept = append(kept, f)
			}
		}
		a.Files = append(kept, txtar.File{Name: "out/" + path, Data: []byte(show)}, txtar.File{Name: "notes", Data: []byte(notes(edits, left))})
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(section["out/"+path]), show); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(string(section["notes"]), notes(edits, left)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	again, _ := align.File(out, b.tasks(out), b.read)
	if len(again) > 0 {
		t.Errorf("aligned again: %d edits", len(again))
	}
}

// textOf undoes what golden files write for what they cannot hold: ^M for CR, and <end> for a last line without a break.
func textOf(raw []byte) []byte {
	raw = bytes.ReplaceAll(raw, []byte("^M"), []byte("\r"))
	return bytes.ReplaceAll(raw, []byte("<end>\n"), nil)
}

// caseOf reads a golden file: how its text is read, and its sections.
func caseOf(t tb, raw []byte) (*bench, map[string][]byte) {
	t.Helper()
	a := txtar.Parse(raw)
	format := "poolproof"
	for _, line := range strings.Split(string(a.Comment), "\n") {
		if f, ok := strings.CutPrefix(line, "format: "); ok {
			format = strings.TrimSpace(f)
		}
	}
	section := map[string][]byte{}
	path := ""
	for _, f := range a.Files {
		section[f.Name] = f.Data
		if p, ok := strings.CutPrefix(f.Name, "in/"); ok {
			path = p
		}
	}
	return newBench(t, section["truth.yaml"], section["manifest.yaml"], format, path), section
}
