package align_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/reconcile/align"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// FuzzFile aligns any text with any truth: edits lie inside of the text, in order and without overlap; whatever they settle
// is gone when the text is read again, and nothing new differs.
func FuzzFile(f *testing.F) {
	seeds := seeds(f)
	for i, s := range seeds {
		f.Add(uint8(i), s.text)
	}
	f.Fuzz(func(t *testing.T, seed uint8, text []byte) {
		holds(t, seeds[int(seed)%len(seeds)].bench, text)
	})
}

// TestDamaged does the same with every golden file cut short, and with one byte changed or taken out.
func TestDamaged(t *testing.T) {
	for _, s := range seeds(t) {
		const every = 29
		for i := 0; i < len(s.text); i += every {
			holds(t, s.bench, s.text[:i:i])
			for _, c := range []byte{'#', '\n', '"', ' ', '|', '{', '9'} {
				b := bytes.Clone(s.text)
				b[i] = c
				holds(t, s.bench, b)
			}
			holds(t, s.bench, append(s.text[:i:i], s.text[i+1:]...))
		}
	}
}

// seed is a golden file: its text, and how it is read and judged.
type seed struct {
	bench *bench
	text  []byte
}

func seeds(t tb) []seed {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txtar")
	var out []seed
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		b, section := caseOf(t, raw)
		out = append(out, seed{b, textOf(section["in/"+b.path])})
	}
	return out
}

// holds aligns a text and checks what has to be so whatever it is.
func holds(t *testing.T, b *bench, text []byte) {
	t.Helper()
	tasks := b.tasks(text)
	before := divergences(tasks)
	edits, left := align.File(text, tasks, b.read)
	out := apply(t, text, edits)
	for _, e := range edits {
		if e.Settles.En == "" || e.Settles.Zh == "" {
			t.Fatalf("an edit says nothing: %+v", e)
		}
	}
	for _, l := range left {
		if l.Why.En == "" || l.Why.Zh == "" {
			t.Fatalf("a difference is left without a reason: %+v", l.Divergence)
		}
	}
	if len(edits) == 0 {
		if len(left) != len(before) {
			t.Fatalf("%d differences, %d left, no edit", len(before), len(left))
		}
		return
	}
	after := divergences(b.tasks(out))
	if len(after) > len(left) {
		t.Fatalf("%d differences are left by its own account, %d in truth:\n%s\nbecame:\n%s", len(left), len(after), text, out)
	}
	for k := range after {
		if !before[k] {
			t.Fatalf("new difference %s:\n%s\nbecame:\n%s", k, text, out)
		}
	}
}

// divergences lists what differs, by what it is about.
func divergences(tasks []align.Task) map[string]bool {
	out := map[string]bool{}
	for i, t := range tasks {
		for _, d := range t.Compare(t.Copy) {
			field := d.Field
			if d.Item == schema.Ramp && strings.HasPrefix(field, "batches") {
				field = "batches"
			}
			member := d.Member
			if field == "weight" || field == "priority" {
				member = ""
			}
			out[fmt.Sprint(i, " ", d.Kind, d.Item, field, member)] = true
		}
	}
	return out
}

func TestBounded(t *testing.T) {
	var text, truth bytes.Buffer
	text.WriteString("pools:\n  orders:\n    members:\n")
	truth.WriteString("pools:\n  orders:\n    members:\n")
	for i := range 10000 {
		if i%3 > 0 {
			fmt.Fprintf(&text, "      - {address: 10.1.%d.%d, port: 80, weight: %d}\n", i/250, i%250, 1+i%2)
		}
		if i%4 > 0 {
			fmt.Fprintf(&truth, "      - {address: 10.1.%d.%d, port: 80, weight: 1}\n", i/250, i%250)
		}
	}
	b := newBench(t, truth.Bytes(), nil, "poolproof", "a.yaml")
	reads := 0
	edits, left := align.File(text.Bytes(), b.tasks(text.Bytes()), func(x []byte) sources.Result { reads++; return b.read(x) })
	if len(left) > 0 || len(edits) < 5000 || reads > 3 {
		t.Errorf("%d edits, %d left, %d reads", len(edits), len(left), reads)
	}
}

// TestManyPools holds a file of many pools, of which one cannot be aligned, to few readings.
func TestManyPools(t *testing.T) {
	var text, truth bytes.Buffer
	text.WriteString("x-shared: &shared {interval: 5s}\npools:\n")
	truth.WriteString("pools:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  p%d: {members: [{address: 10.0.0.1, port: 80}], probe: {interval: 5s}}\n", i)
		fmt.Fprintf(&truth, "  p%d: {members: [{address: 10.0.0.1, port: 80}, {address: 10.0.0.2, port: 80}], probe: {interval: 2s}}\n", i)
	}
	b := newBench(t, truth.Bytes(), nil, "poolproof", "a.yaml")
	reads := 0
	tasks := b.tasks(text.Bytes())
	edits, left := align.File(text.Bytes(), tasks, func(x []byte) sources.Result { reads++; return b.read(x) })
	if len(left) > 0 || len(edits) != 2000 || reads > 3 {
		t.Errorf("%d edits, %d left, %d reads", len(edits), len(left), reads)
	}
}
