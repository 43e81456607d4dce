package data

import (
	"strings"
	"testing"
	"unsafe"
)

func TestLookup(t *testing.T) {
	root := YAML([]byte("a: {b: {c: 1}}\nl: [x]\n")).Documents[0].Root
	if n := root.Path("a", "b", "c"); n == nil || n.Text != "1" || !n.Scalar() {
		t.Errorf("a.b.c is %v", n)
	}
	for _, path := range [][]string{{"x"}, {"a", "x", "c"}, {"l", "x"}, {"a", "b", "c", "d"}} {
		if n := root.Path(path...); n != nil {
			t.Errorf("%v is %v", path, n)
		}
	}
	var none *Node
	if none.Get("a") != nil || none.Pair("a") != nil || none.Scalar() || root.Scalar() {
		t.Error("nothing has keys or is a scalar")
	}
	used := YAML([]byte("a: &x 1\nb: *x\n")).Documents[0].Root
	if a, b := used.Get("a").Place(), used.Get("b").Place(); a.Start != 6 || b.Start != 11 || used.Get("b").At != used.Get("a").At {
		t.Errorf("places %v %v", a, b)
	}
}

// TestSize keeps nodes small: a tree is most of what reading a file costs.
func TestSize(t *testing.T) {
	if size := unsafe.Sizeof(Node{}); size > 96 {
		t.Errorf("a node takes %d bytes", size)
	}
	if size := unsafe.Sizeof(Pair{}); size > 40 {
		t.Errorf("a pair takes %d bytes", size)
	}
}

// TestEncodings holds places to the bytes of the file, whatever stands before them.
func TestEncodings(t *testing.T) {
	readers := map[string]func([]byte) File{"a: v\n": YAML, "{\"a\": \"v\"}\n": JSON, "a = \"v\"\n": TOML, "a=v\n": Properties}
	for body, read := range readers {
		for prefix, want := range map[string]int{"": 0, bom: 1, bom + bom: 1} {
			for _, end := range []string{"\n", "\r\n"} {
				src := prefix + strings.ReplaceAll(body, "\n", end)
				f := read([]byte(src))
				check(t, f, []byte(src), false)
				if len(f.Documents) != 1 || len(f.Problems) != want {
					t.Fatalf("%q:\n%s", src, dump(f, src))
				}
				v := f.Documents[0].Root.Get("a")
				if v == nil || v.Text != "v" || strings.Trim(src[v.At.Start:v.At.End], `"`) != "v" {
					t.Errorf("%q:\n%s", src, dump(f, src))
				}
			}
		}
		for _, src := range []string{"\xFF\xFEa\x00", "\xFE\xFF\x00a"} {
			if f := read([]byte(src)); len(f.Documents) != 0 || len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Text.En, "UTF-16") {
				t.Errorf("%q:\n%s", src, dump(f, src))
			}
		}
	}
}

// TestUnreadable loses nothing but the bytes that nobody can read.
func TestUnreadable(t *testing.T) {
	src := "a: 1 # caf\xE9\nb: x\x00y\nc: \xC4\xE3\xBA\xC3\nd: 2\n"
	f := YAML([]byte(src))
	root := f.Documents[0].Root
	if len(f.Problems) != 1 || f.Problems[0].At.Start != 10 || !strings.Contains(f.Problems[0].Text.En, "0xE9") || !strings.Contains(f.Problems[0].Text.En, "and 5 more") {
		t.Errorf("problems %+v", f.Problems)
	}
	if root.Get("a").Text != "1" || root.Get("b").Text != "x_y" || root.Get("d").Text != "2" {
		t.Errorf("tree:\n%s", dump(f, src))
	}
	if f := Properties([]byte("a=caf\xE9\n")); len(f.Problems) != 0 || f.Documents[0].Root.Get("a").Text != "café" {
		t.Errorf("a file of Java is Latin-1: %s", dump(f, "a=caf\xE9\n"))
	}
}

func TestPlainKind(t *testing.T) {
	for text, want := range map[string]Kind{
		"": Null, "~": Null, "null": Null, "NULL": Null, "nULL": String, "true": Bool, "False": Bool, "tRUE": String, "yes": String,
		"0": Int, "-1": Int, "+12": Int, "010": Int, "0x1F": Int, "0o17": Int, "0b1": String, "0x": String, "0xG": String, "-0x1": String, "1_0": String,
		"1.": Float, ".5": Float, "1.5e3": Float, "5e3": Float, "5E-3": Float, ".inf": Float, "-.INF": Float, ".nan": Float, "-.nan": String, ".": String, "-": String, "+": String, "1e": String, "e1": String, "1.2.3": String, "..5": String,
		"10.0.0.1": String, "1m": String, "2026-01-02": String,
	} {
		if got := plainKind(text); got != want {
			t.Errorf("%q is %s, want %s", text, kindNames[got], kindNames[want])
		}
	}
}
