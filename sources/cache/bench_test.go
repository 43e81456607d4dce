package cache

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

const benchmarked = 10_000 // readings in the pack

func benchmarkKeys(b *testing.B) (folder string, keys []load.Key) {
	folder = b.TempDir()
	c := Open(folder, root, build)
	for n := range benchmarked {
		keys = append(keys, key(n))
		c.Put(keys[n], reading(n))
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	return folder, keys
}

// BenchmarkRun is the whole of a run that finds everything: open, 10,000 readings, close.
func BenchmarkRun(b *testing.B) {
	folder, keys := benchmarkKeys(b)
	b.ReportAllocs()
	for b.Loop() {
		c := Open(folder, root, build)
		for i := range keys {
			if _, ok := c.Get(keys[i], nil); !ok {
				b.Fatal("not found")
			}
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	folder, keys := benchmarkKeys(b)
	c := Open(folder, root, build)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, ok := c.Get(keys[i%len(keys)], nil); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkMiss(b *testing.B) {
	folder, _ := benchmarkKeys(b)
	c := Open(folder, root, build)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := c.Get(load.Key{}, nil); ok {
			b.Fatal("found")
		}
	}
}

// BenchmarkOneChanged is a run in which one of 10,000 files changed.
func BenchmarkOneChanged(b *testing.B) {
	folder, _ := benchmarkKeys(b)
	for i := 0; b.Loop(); i++ {
		c := Open(folder, root, build)
		c.Put(key(-i), reading(i))
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	c := Open(b.TempDir(), root, build)
	readings := make([]load.Reading, 1000)
	for n := range readings {
		readings[n] = reading(n)
		readings[n].Result.Copies[0].Report(schema.Problem{Rule: "members/duplicate"})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Put(key(i%100_000), readings[i%len(readings)])
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
}
