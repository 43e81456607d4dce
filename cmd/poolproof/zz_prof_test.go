package main

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
)

func TestZZProf(t *testing.T) {
	dir := os.Getenv("PP_DIR")
	if dir == "" {
		return
	}
	env := system()
	var b bytes.Buffer
	env.out = &b
	run(context.Background(), []string{"check", dir, "--format", "json", "--no-cache"}, env)
	runtime.GC()
	f, _ := os.Create("/tmp/heap.prof")
	pprof.WriteHeapProfile(f)
	f.Close()
}
