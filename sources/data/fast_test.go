package data

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fastYAML are documents that the fast reader must take.
var fastYAML = []string{
	"a: 1\n",
	"a: 1",
	"a:\n",
	"a:",
	"- a\n- b\n",
	"-\n-\n- x\n",
	"a:\n- b\n- c\nd: e\n",
	"a:\n  - b: 1\n    c: 2\n  - b: 3\nd:\n  e:\n    f: g\n",
	"# head\n\na: 1 # one\n# two\nb: # three\n  # four\n  c: d\n",
	"a: \"x y\"\nb: 'x: y # z'\n\"c d\": 1\n'e' : 2\n",
	"a: {b: 1, c: [1, 2, x y], d: {}, e: []}\nf: [ ]\n",
	"- {a: b}\n- [c, {d: e}]\n- - x\n  - y\n- - - z\n",
	"a: http://x:80/y#z\nb: -1\nc: 1.5s\nd: ~\ne: null\nf: true\ng: a-b_c/d=e;f\n",
	"---\na: 1\n---\n- 2\n---\n---\nb:\n",
	"# c\n---\n# d\na: 1\n",
	"a: 1\r\nb:\r\n  - c\r\n",
	"é: ü\n键: 值 # 注\n",
	"a : b\n",
	"a: b  \nc:  d\n",
	"- a: 1\n  b:\n  - c\n  - d\n  e: f\n",
	"- a:\n- b:\n",

	"args:\n- --flag=x\n- -v\n",
	"a: [x, ]\nb: {c: d, }\n",
	"a: {\"b\":1, 'c':\"d\"}\n",
	"a: x, y\nb: it's\nc: say \"x\"\nd: a{b}c[d]\n",
	"",
	"# only a comment\n",
}

// notFastYAML are documents that it must leave to the reference reader.
var notFastYAML = []string{
	"a: &x 1\nb: *x\n", "a: !!str 1\n", "a: |\n  x\n", "a: >-\n  x\n", "a: x\n  y\n", "a: \"x\n  y\"\n", "a:\n  x\n",
	"a:\tb\n", "\ta: b\n", "a: b\t# c\n", "? a\n: b\n", "a: {{ x }}\n", "%YAML 1.2\n---\na: b\n", "a: b\n...\n", "--- a\n",
	"a: [1,\n  2]\n", "a: 1\na: 2\n", "<<: {a: 1}\n", "a: \"\\n\"\n", "a: 'it''s'\n", "a: b: c\n", "a: 1\n b: 2\n", "a:\n  b: 1\n c: 2\n",
	"a: 1\n- b\n", "- a\nb: 1\n", "a: [1, 2\n", "a: @x\n", "x\n", "a\nb: 1\n", "a: {b}\n", "a: [b: c]\n", "a: {b: }\n", "a: \"b\"c\n",
	"a: 1\u2028b: 2\n", "a: \u0085b\n", "a: 1\rb: 2\n", "a: {a: 1, a: 2}\n", "[a]: b\n",
}

func sample(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = text
	}
	return out
}

// fastAlone reads with the fast reader only.
func fastAlone(src string) (File, bool) {
	var f File
	r := fastReader{s: src, src: []byte(src), slabs: newSlabs(len(src))}
	for pos := 0; pos < len(src); {
		d, next, ok := r.document(pos)
		if !ok {
			return f, false
		}
		if d.At.Known() {
			f.Documents = append(f.Documents, d)
		}
		pos = next
	}
	return f, true
}

func TestFastTakes(t *testing.T) {
	for _, src := range fastYAML {
		f, ok := fastAlone(src)
		if !ok || !clean([]byte(src)) {
			t.Errorf("%q: not read", src)
			continue
		}
		same(t, src, f)
	}
}

func TestFastLeaves(t *testing.T) {
	for _, src := range notFastYAML {
		if f, ok := fastAlone(src); ok && clean([]byte(src)) && !hasTemplate(src) {
			t.Errorf("%q was read:\n%s", src, dump(f, src))
		}
	}
}

// same holds a result to that of the reference reader.
func same(t testing.TB, src string, got File) {
	t.Helper()
	want := readYAML([]byte(src), false)
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%q: fast reader differs (-reference +fast):\n%s", clip(src), cmp.Diff(dump(want, src), dump(got, src)))
	}
}

func FuzzYAMLFast(f *testing.F) {
	for _, src := range fastYAML {
		f.Add([]byte(src))
	}
	for _, src := range notFastYAML {
		f.Add([]byte(src))
	}
	f.Add([]byte(strings.Join(fastYAML[:12], "---\n")))
	f.Fuzz(func(t *testing.T, src []byte) {
		same(t, string(src), YAML(src))
	})
}

// TestFastAgrees plays documents of the pieces that YAML is made of; most are broken, many are odd, some are fine.
func TestFastAgrees(t *testing.T) {
	pieces := []string{
		"a", "b: ", "c:", "- ", "-", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\na: ", "\n  b: 1", "\n  - c: 2", "\n    d: 3", " ", "  ", "# x", " # y", "\"q\"", "'s'", "\"", "'",
		"[", "]", "{", "}", ", ", ",", ": ", ":", "?", "? ", "1", "true", "~", "null", "x y", "k: v", "{a: 1}", "[1, 2]", "---\n", "\n---\n", "\r\n", "\t", "é", "<<: ", "!t ", "&x ", "*x", "|\n", ">\n", "...\n", "http://h:80/p", "1.5s", "--x", "\\", "%", "@", "...",
	}
	taken, total := 0, 50_000
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range total {
		b.Reset()
		for range 1 + rng.IntN(14) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		src := b.String()
		f := YAML([]byte(src))
		if _, ok := fastAlone(src); ok {
			taken++
		}
		same(t, src, f)
		check(t, f, []byte(src), true)
	}
	if taken < total/50 {
		t.Errorf("the fast reader took %d of %d documents: too few to prove anything", taken, total)
	}
	t.Logf("the fast reader took %d of %d documents", taken, total)
}
