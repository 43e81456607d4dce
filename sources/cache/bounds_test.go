package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestBounds: a pack keeps what is in use, and of the rest what was used last, within its bounds.
func TestBounds(t *testing.T) {
	folder := t.TempDir()
	keep(t, folder, 0, 1)
	info, err := os.Stat(packPath(folder))
	if err != nil {
		t.Fatal(err)
	}
	one := info.Size() // of a pack with one record
	l := limits{record: int(one), pack: 40 * one, stale: 3 * one}
	run := func(l limits, uses, puts []int) {
		t.Helper()
		c := open(folder, root, build, l)
		for _, n := range uses {
			want(t, c, n, n+1, 1)
		}
		for _, n := range puts {
			c.Put(key(n), reading(n))
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n < 20; n++ {
		run(l, []int{0}, []int{n})
	}
	c := open(folder, root, build, l)
	want(t, c, 0, 1, 1)
	want(t, c, 19, 20, 1)
	// Without header and footer, a few more than three fit.
	if n := found(t, c, 1, 19); n < 3 || n > 6 {
		t.Errorf("%d stale readings are kept", n)
	} else {
		want(t, c, 19-n, 19, n) // the newest
	}

	run(limits{record: 10, pack: l.pack, stale: l.stale}, nil, []int{30})
	want(t, open(folder, root, build, l), 30, 31, 0)

	small := limits{record: l.record, pack: 5 * one, stale: 5 * one}
	run(small, nil, []int{40, 41, 42, 43, 44, 45, 46, 47, 48, 49})
	info, err = os.Stat(packPath(folder))
	if err != nil || info.Size() > small.pack {
		t.Errorf("%v bytes, bound %d, %v", info.Size(), small.pack, err)
	}
	if n := found(t, open(folder, root, build, small), 40, 50); n < 4 {
		t.Errorf("%d readings fit", n)
	}
	want(t, open(folder, root, build, limits{pack: info.Size() - 1}), 0, 50, 0)
}

func TestTrim(t *testing.T) {
	folder := t.TempDir()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	write := func(name string, age time.Duration) string {
		t.Helper()
		p := filepath.Join(folder, name)
		if err := os.WriteFile(p, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, start.Add(-age), start.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	newest := write("new"+packExt, 0)
	busy := write("busy"+tempExt, abandoned)
	dead := write("dead"+tempExt, abandoned+time.Second)
	foreign := write("README", 1000*time.Hour)
	var packs []string
	for i := range maxPacks + 3 {
		packs = append(packs, write(fmt.Sprintf("%02d%s", i, packExt), time.Duration(i+1)*time.Minute))
	}
	huge := write("huge"+packExt, time.Second)
	if err := os.Truncate(huge, maxBytes+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(huge, start.Add(-30*time.Minute-time.Second), start.Add(-30*time.Minute-time.Second)); err != nil {
		t.Fatal(err)
	}
	trim(folder, newest)
	for p, stays := range map[string]bool{newest: true, busy: true, dead: false, foreign: true, huge: false, packs[29]: true, packs[30]: false, packs[66]: false} {
		if _, err := os.Stat(p); (err == nil) != stays {
			t.Errorf("%s: %v, want it to stay: %v", filepath.Base(p), err, stays)
		}
	}
	for i := range maxPacks + 3 {
		write(fmt.Sprintf("%02d%s", i, packExt), time.Duration(i+1)*time.Minute)
	}
	trim(folder, packs[66]) // the oldest, as if clocks disagreed
	list, err := filepath.Glob(filepath.Join(folder, "*"+packExt))
	if err != nil || len(list) != maxPacks+1 {
		t.Errorf("%d packs stay, %v", len(list), err)
	}
	if _, err := os.Stat(packs[66]); err != nil {
		t.Error("the pack just written was removed")
	}
	trim(filepath.Join(folder, "none"), newest)
}
