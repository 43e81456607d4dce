package cache

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
	"github.com/google/go-cmp/cmp"
"syscall"
	"github.com/poolproof/poolproof/schema"
)

func TestW(t *testing.T) {
	w, err := tree.OpenWork("/tmp/cachebench/W")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := w.Read("poolproof.yaml")
	m, _ := manifest.Load("poolproof.yaml", data)
	dir := "/tmp/cachebench/cache"
	os.RemoveAll(dir)
	var first *load.Loaded
	n := 3
	if os.Getenv("N") != "" { n = 20 }
	for i := range n {
		runtime.GC()
		c := Open(dir, "/tmp/cachebench/W", "x")
		t0 := cpu()
		l, err := load.Load(context.Background(), w, &m, load.Options{Adapters: all.Adapters(), Cache: c})
		t1 := cpu()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		fmt.Println(i, len(l.Files), (t1-t0), "close", cpu()-t1, "heap", ms.HeapAlloc>>20)
		if i == 0 {
			_ = l
		}
		if i == 1 && os.Getenv("CMP") != "" {
			if d := cmp.Diff(first, l, cmp.AllowUnexported(schema.Value{})); d != "" {
				t.Fatal(d[:2000])
			}
			first=nil
		}
	}
}

func TestWGet(t *testing.T) {
	// Get only
	w, _ := tree.OpenWork("/tmp/cachebench/W")
	data, _ := w.Read("poolproof.yaml")
	m, _ := manifest.Load("poolproof.yaml", data)
	k := &keys{}
	load.Load(context.Background(), w, &m, load.Options{Adapters: nil, Cache: k})
	load.Load(context.Background(), w, &m, load.Options{Adapters: all.Adapters(), Cache: k})
	runtime.GOMAXPROCS(1)
	for range 40 {
		runtime.GC()
		t0 := cpu()
		c := Open("/tmp/cachebench/cache", "/tmp/cachebench/W", "x")
		t1 := cpu()
		hits := 0
		var keep []load.Reading
		for _, key := range k.k {
			r, ok := c.Get(key)
			if ok {
				hits++
				keep = append(keep, r)
			}
		}
		fmt.Println("open", (t1-t0), "get", cpu()-t1, hits, len(keep))
	}
}

type keys struct{ k []load.Key }

func (k *keys) Get(key load.Key) (load.Reading, bool) { return load.Reading{}, false }
func (k *keys) Put(key load.Key, r load.Reading)      { k.k = append(k.k, key) }

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano()+u.Stime.Nano())
}
