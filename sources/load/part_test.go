package load

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// numbers is a packer that numbers what it packs; equal copies have equal numbers.
type numbers struct {
	mu   sync.Mutex
	of   map[string]byte
	list []schema.Copy
}

func (n *numbers) Pack(b []byte, c *schema.Copy) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := fmt.Sprintf("%+v", *c)
	if _, ok := n.of[key]; !ok {
		if n.of == nil {
			n.of = map[string]byte{}
		}
		n.of[key] = byte(len(n.list))
		n.list = append(n.list, *c)
	}
	return append(b, n.of[key])
}

func (n *numbers) Unpack(packed []byte, c *schema.Copy) error {
	*c = n.list[packed[0]]
	return nil
}

// two reads one tree and then another, as parts say.
func two(t *testing.T, a, b files, ma, mb *schema.Manifest, part func(a *Loaded) Part) (la, lb *Loaded) {
	t.Helper()
	o := Options{Adapters: adapters(), Packer: new(numbers), Workers: 1}
	la = mustLoad(t, a, ma, o)
	lb, err := List(b, mb, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := lb.Fill(context.Background(), b, mb, o, part(la)); err != nil {
		t.Fatal(err)
	}
	return la, lb
}

func fileOf(l *Loaded, path string) *File {
	for _, f := range l.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// other finds the file of the same path in another tree.
func other(l *Loaded) func(*File) (*Loaded, *File) {
	return func(f *File) (*Loaded, *File) { return l, fileOf(l, f.Path) }
}

// TestTwins: files with the same bytes are read once; where pairing changes nothing, both trees have the copies in common.
func TestTwins(t *testing.T) {
	m := &schema.Manifest{Sources: []schema.Source{
		{Side: schema.App, Files: []string{"a/*"}, Format: "alpha"}, {Side: schema.Doc, Files: []string{"d/*"}, Format: "alpha"},
	}}
	head := files{"revision": "h", "a/one": "alpha\norders\nstock\n", "d/one": "alpha\norders\n"}
	base := files{"revision": "b", "a/one": "error: it is read all the same", "d/one": "error: it is read all the same"}
	for _, still := range []bool{true, false} {
		h, b := two(t, head, base, m, m, func(l *Loaded) Part { return Part{Twin: other(l), Still: still} })
		for i, f := range h.Files {
			twin := b.Files[i]
			if len(twin.Result.Copies) != len(f.Result.Copies) || len(f.Result.Copies) == 0 {
				t.Fatalf("%s has %d copies, its twin %d", f.Path, len(f.Result.Copies), len(twin.Result.Copies))
			}
			for j := range f.Result.Copies {
				x, y := &f.Result.Copies[j], &twin.Result.Copies[j]
				if common := still && f.Path == "a/one"; (x == y) != common {
					t.Errorf("still %v, %s: the copies are in common: %v", still, f.Path, x == y)
				}
				if !h.Same(x, b, y) {
					t.Errorf("still %v, %s: the copies count as different", still, f.Path)
				}
				if want, got := h.Whole(x), b.Whole(y); !equal(*want, *got) || len(got.Fields) == 0 {
					t.Errorf("%+v\n%+v", want, got)
				}
				if y.Pool = "bound to another"; x != y && h.Same(x, b, y) {
					t.Errorf("%s: copies of different pools count as the same", f.Path)
				}
			}
		}
	}
}

// TestLike: a file is read in each tree, and kept once if it says the same there.
func TestLike(t *testing.T) {
	source := []schema.Source{{Side: schema.App, Files: []string{"a/*"}, Format: "alpha"}}
	tree := files{"a/one": "alpha\norders\n"}
	for value, same := range map[string]bool{"1": true, "2": false} {
		ma := &schema.Manifest{Sources: source, Vars: map[string]string{"X": "1"}}
		mb := &schema.Manifest{Sources: source, Vars: map[string]string{"X": value}}
		a, b := two(t, tree, tree, ma, mb, func(l *Loaded) Part { return Part{Like: other(l), Still: true} })
		x, y := &a.Files[0].Result.Copies[0], &b.Files[0].Result.Copies[0]
		if a.Same(x, b, y) != same || (x == y) != same {
			t.Errorf("X is 1 and %s: same %v, in common %v", value, a.Same(x, b, y), x == y)
		}
		if saw, _ := b.Whole(y).Get("saw"); !strings.Contains(saw.Value.String(), "map[X:"+value+"]") {
			t.Errorf("X is %s: %s", value, saw.Value)
		}
	}
}

// TestNamed: copies that are kept for their names say where they stand and nothing else, packed or not.
func TestNamed(t *testing.T) {
	m := &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Files: []string{"a/*"}, Format: "alpha"}}}
	tree := files{"a/one": "alpha\norders\nstock\n"}
	for _, packer := range []Packer{nil, new(numbers)} {
		o := Options{Adapters: adapters(), Packer: packer, Workers: 1}
		l, err := List(tree, m, o)
		if err != nil {
			t.Fatal(err)
		}
		part := Part{Named: func(_ *File, c *schema.Copy) bool { return c.Pool == "stock" }}
		if err := l.Fill(context.Background(), tree, m, o, part); err != nil {
			t.Fatal(err)
		}
		for i, says := range []int{1, 0} {
			c := &l.Files[0].Result.Copies[i]
			if got := l.Whole(c); len(got.Fields) != says || got.Pool != []string{"orders", "stock"}[i] || got.File() != "a/one" {
				t.Errorf("packed %v: %+v", packer != nil, got)
			}
		}
	}
}

// TestDetach: what is left of packed copies keeps nothing of the text that they were cut out of.
func TestDetach(t *testing.T) {
	file := strings.Repeat("abcdefghij", 1000)
	n := 0
	var copies []schema.Copy
	walk(reflect.ValueOf(&copies).Elem(), func(string, string) string {
		n++
		return file[n%5000 : n%5000+3+n%7]
	})
	f := &File{Path: "a/one", Format: "alpha", Result: sources.Result{Copies: copies}}
	r := &reader{manifest: &schema.Manifest{Sources: []schema.Source{{Side: schema.App}}}, options: Options{Packer: new(numbers)}}
	r.pack(f)
	low := uintptr(unsafe.Pointer(unsafe.StringData(file)))
	for i := range f.Result.Copies {
		c := f.Result.Copies[i]
		c.Revision = "" // is set for the whole file
		walk(reflect.ValueOf(&c).Elem(), func(name, s string) string {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); s != "" && at >= low && at < low+uintptr(len(file)) {
				t.Errorf("%s keeps the file", name)
			}
			return s
		})
	}
	if len(f.packed) != 2 || len(f.packed[0]) != 1 {
		t.Errorf("packed in %v", f.packed)
	}
}
