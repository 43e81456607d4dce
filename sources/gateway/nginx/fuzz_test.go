package nginx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/sources/sourcetest"
)

// FuzzNGINX holds the reader to its promises on any bytes: no panic, every span inside the text, the same result twice,
// and a tree whose words lie in order.
func FuzzNGINX(f *testing.F) {
	for _, name := range samples {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("upstream a { server b {{ c }} \"d\\\"; } } {% if x %} ；"))
	f.Fuzz(func(t *testing.T, text []byte) {
		detect("nginx.conf", text)
		first := sourcetest.Check(t, Adapter(), "nginx.conf", text)
		second := sourcetest.Check(t, Adapter(), "nginx.conf", text)
		if a, b := sourcetest.Dump(first, text), sourcetest.Dump(second, text); a != b {
			t.Fatalf("two readings differ:\n%s\n%s", a, b)
		}
		root, _ := parse(string(text))
		ordered(t, root, 0, len(text))
	})
}

// ordered checks that directives and words follow each other inside the place of their block.
func ordered(t *testing.T, ds []directive, from, to int) {
	for i := range ds {
		d := &ds[i]
		at := from
		for _, w := range append([]word{d.name}, d.args...) {
			if w.start < at || w.end < w.start || w.end > to {
				t.Fatalf("word %q at %d-%d outside %d-%d", w.text, w.start, w.end, at, to)
			}
			at = w.end
		}
		if d.end < at || d.end > to {
			t.Fatalf("directive %q ends at %d, outside %d-%d", d.name.text, d.end, at, to)
		}
		ordered(t, d.body, at, d.end)
		from = d.end
	}
}
