package cache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/load"
)

const (
	root  = "/home/somebody/repository"
	build = "v1.2.3 (test)"
)

func key(n int) load.Key {
	return load.Key{Content: sha256.Sum256(fmt.Append(nil, n)), Reader: sha256.Sum256([]byte("reader"))}
}

// reading is the n-th sample, unlike every other.
func reading(n int) load.Reading {
	c := schema.Copy{Side: schema.Gateway, Format: "haproxy", Files: []string{fmt.Sprintf("gateway/%d.cfg", n)}, Pool: fmt.Sprintf("pool-%d", n)}
	for i := range 4 {
		at := 100*n + 20*i
		c.Members = append(c.Members, schema.Member{
			Host: fmt.Sprintf("m%d.pool-%d.example.net", i, n), Port: uint16(8000 + i), HasWeight: true, Weight: int64(n % 100),
			At: schema.At(at, at+19), HostAt: schema.At(at, at+12), PortAt: schema.At(at+13, at+17),
		})
	}
	for _, e := range schema.Model()[:12] {
		c.Set(e.Path, schema.IntOf(int64(n)), schema.At(10*n, 10*n+4))
	}
	return load.Reading{Result: sources.Result{Copies: []schema.Copy{c}}}
}

// keep runs a cache once: it puts the readings from low to high.
func keep(t *testing.T, folder string, low, high int) {
	t.Helper()
	c := Open(folder, root, build)
	for n := low; n < high; n++ {
		c.Put(key(n), reading(n))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	whole(t, folder)
}

// whole requires that a folder holds packs alone.
func whole(t *testing.T, folder string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), packExt) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// found counts how many of the readings from low to high a cache has. A wrong one fails the test.
func found(t *testing.T, c *Cache, low, high int) int {
	t.Helper()
	hits := 0
	for n := low; n < high; n++ {
		r, ok := c.Get(key(n), nil)
		if !ok {
			continue
		}
		hits++
		if want := reading(n); !reflect.DeepEqual(want, r) {
			t.Fatalf("reading %d (-want +got):\n%s", n, cmp.Diff(want, r, cmp.Comparer(func(a, b schema.Value) bool { return a == b })))
		}
	}
	return hits
}

func want(t *testing.T, c *Cache, low, high, hits int) {
	t.Helper()
	if got := found(t, c, low, high); got != hits {
		t.Errorf("%d of the readings from %d to %d were found, want %d", got, low, high, hits)
	}
}

func packPath(folder string) string { return Open(folder, root, build).path }

func TestKeep(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "poolproof")
	c := Open(folder, root, build)
	want(t, c, 0, 10, 0)
	for n := range 10 {
		c.Put(key(n), reading(n))
		want(t, c, n, n+1, 1) // in the same run
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	whole(t, folder)
	for p, mode := range map[string]os.FileMode{folder: 0o700, c.path: 0o600} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want mode %o", p, info.Mode(), err, mode)
		}
	}
	c = Open(folder, root, build)
	want(t, c, 0, 11, 10)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	want(t, c, 0, 11, 0)
	c.Put(key(1), reading(1))
	if err := c.Close(); err != nil {
		t.Error("closed twice:", err)
	}

	want(t, Open(folder, root, build+"."), 0, 10, 0)
	want(t, Open(folder, root+"/", build), 0, 10, 0)
	keep(t, folder, 20, 21)
	want(t, Open(folder, root, build), 0, 30, 11)
}

// TestNothingNew: a run that finds everything writes nothing.
func TestNothingNew(t *testing.T) {
	folder := t.TempDir()
	keep(t, folder, 0, 5)
	before, err := os.Stat(packPath(folder))
	if err != nil {
		t.Fatal(err)
	}
	c := Open(folder, root, build)
	want(t, c, 0, 5, 5)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(packPath(folder))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the pack was written anew: %v", err)
	}
}

// TestLarge holds readings that are read back from the file before it is complete.
func TestLarge(t *testing.T) {
	c := Open(t.TempDir(), root, build)
	const n = 2000
	for i := range n {
		c.Put(key(i), reading(i))
	}
	if c.news.written == 0 {
		t.Fatal("nothing was written yet")
	}
	want(t, c, 0, n, n)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, Open(c.folder, root, build), 0, n, n)
}

// TestReplaced: the last reading under a key counts, now and later, whatever was there.
func TestReplaced(t *testing.T) {
	folder := t.TempDir()
	for run := range 3 {
		c := Open(folder, root, build)
		c.Put(key(1), reading(100))
		c.Put(key(1), reading(run))
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		r, ok := Open(folder, root, build).Get(key(1), nil)
		if !ok || r.Result.Copies[0].Pool != fmt.Sprintf("pool-%d", run) {
			t.Errorf("run %d: %v, %+v", run, ok, r)
		}
	}
}

// TestEveryByte damages a pack at every byte: what is found is right, and the next run repairs the pack.
func TestEveryByte(t *testing.T) {
	folder := t.TempDir()
	keep(t, folder, 0, 3)
	path := packPath(folder)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		c := Open(folder, root, build)
		if found(t, c, 0, 3) == 3 {
			t.Errorf("%s: nothing was noticed", what)
		}
		c.Close()
	}
	for i := range good {
		damaged := bytes.Clone(good)
		damaged[i] ^= 1 << (i % 8)
		try(fmt.Sprintf("a bit of byte %d", i), damaged)
		try(fmt.Sprintf("cut to %d bytes", i), good[:i])
	}
	try("bytes added", append(bytes.Clone(good), good...))
	try("bytes before", append([]byte("\x00"), good...))

	damaged := bytes.Clone(good)
	damaged[bytes.Index(good, []byte("pool-1.example"))]++
	try("one record", damaged)
	c := Open(folder, root, build)
	for n := range 3 {
		if _, ok := c.Get(key(n), nil); ok != (n != 1) {
			t.Errorf("record %d: %v", n, ok)
		} else if !ok {
			c.Put(key(n), reading(n))
			want(t, c, n, n+1, 1)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, Open(folder, root, build), 0, 3, 3)
}

// TestPlaces: whatever stands in the place of folder and pack, the run goes on.
func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(t *testing.T, folder, pack string)
		fail string // part of the error; empty: the readings are kept
	}{
		"folder is a file": {func(t *testing.T, folder, _ string) {
			if err := os.Remove(folder); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(folder, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not a folder"},
		"folder is in a file": {func(t *testing.T, folder, _ string) {
			above := filepath.Dir(folder)
			if err := os.RemoveAll(above); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(above, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not a directory"},
		"folder is open to others": {func(t *testing.T, folder, _ string) {
			if err := os.Chmod(folder, 0o777); err != nil {
				t.Fatal(err)
			}
		}, "others can write to it (mode 0777)"},
		"pack is a folder": {func(t *testing.T, _, pack string) {
			if err := os.MkdirAll(filepath.Join(pack, "x"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "rename"},
		"pack is a pipe": {func(t *testing.T, _, pack string) {
			if err := syscall.Mkfifo(pack, 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"pack is a device": {func(t *testing.T, _, pack string) {
			if err := os.Symlink("/dev/zero", pack); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"pack is empty": {func(t *testing.T, _, pack string) {
			if err := os.WriteFile(pack, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "above", "poolproof")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			c.set(t, folder, packPath(folder))
			for range 2 {
				cache := Open(folder, root, build)
				cache.Put(key(1), reading(1))
				cache.Put(key(2), reading(2))
				err := cache.Close()
				switch {
				case c.fail == "" && err != nil:
					t.Fatal(err)
				case c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail)):
					t.Fatalf("error %v, want %q", err, c.fail)
				}
			}
			if c.fail == "" {
				want(t, Open(folder, root, build), 1, 3, 2)
				whole(t, folder)
			}
		})
	}
}

// TestReadOnly: the folder cannot be written, for root neither.
func TestReadOnly(t *testing.T) {
	folder := "/proc/self"
	if os.Getuid() != 0 {
		folder = t.TempDir()
		if err := os.Chmod(folder, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	c := Open(folder, root, build)
	c.Put(key(1), reading(1))
	want(t, c, 1, 2, 0)
	c.Put(key(2), reading(2))
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("error %v", err)
	}
}

// TestRunsTogether: of two runs that read the same root at once, neither spoils what the other keeps.
func TestRunsTogether(t *testing.T) {
	folder := t.TempDir()
	keep(t, folder, 0, 2)
	a, b := Open(folder, root, build), Open(folder, root, build)
	want(t, a, 0, 1, 1)
	want(t, b, 1, 2, 1)
	a.Put(key(10), reading(10))
	b.Put(key(20), reading(20))
	b.Put(key(10), reading(10))
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, b, 0, 2, 2) // the pack that it opened is gone, and still there for it
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	c := Open(folder, root, build)
	want(t, c, 0, 30, 4)
	whole(t, folder)
}

// TestManyRuns has runs open, read, write and replace one pack at the same time.
func TestManyRuns(t *testing.T) {
	folder := t.TempDir()
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for i := range 20 {
				c := Open(folder, root, build)
				found(t, c, 0, 200)
				c.Put(key(20*w+i), reading(20*w+i))
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	whole(t, folder)
	c := Open(folder, root, build)
	// Those that lose a race for the last word are read again by the next run; most do not.
	if n := found(t, c, 0, 200); n < 20 || n > 120 {
		t.Errorf("%d readings are kept", n)
	}
}

// TestWorkers has the workers of one run use a cache together.
func TestWorkers(t *testing.T) {
	folder := t.TempDir()
	keep(t, folder, 0, 100)
	c := Open(folder, root, build)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 300 {
				n := (i + 50*w) % 300
				if _, ok := c.Get(key(n), nil); !ok {
					c.Put(key(n), reading(n))
				}
				found(t, c, n, n+1)
			}
		})
	}
	wg.Wait()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, Open(folder, root, build), 0, 300, 300)
}
