package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// private refuses a folder that others can write to: who can write a pack decides what a run finds.
func private(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case os.IsNotExist(err):
		return nil // it is going to be created
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("not a folder")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others can write to it (mode %04o)", info.Mode().Perm())
	}
	return nil
}

// Bounds of the folder: roots come and go, and nobody tells the cache.
const (
	maxPacks = 64
	maxBytes = 1 << 30
	// abandoned is how much older than the newest pack a file that is being written must be to be a dead run's.
	abandoned = time.Hour
)

// trim removes the oldest packs beyond the bounds, never the one just written, and what dead runs left behind. What it
// cannot remove, it leaves.
func trim(folder, newest string) {
	type file struct {
		path string
		size int64
		time time.Time
	}
	var packs, temps []file
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f := file{filepath.Join(folder, e.Name()), info.Size(), info.ModTime()}
		switch filepath.Ext(e.Name()) {
		case packExt, recordExt:
			packs = append(packs, f)
		case tempExt:
			temps = append(temps, f)
		}
	}
	slices.SortFunc(packs, func(a, b file) int { return b.time.Compare(a.time) })
	total := int64(0)
	for i, p := range packs {
		if total += p.size; p.path != newest && (i >= maxPacks || total > maxBytes) {
			os.Remove(p.path)
		}
	}
	for _, t := range temps {
		if len(packs) > 0 && packs[0].time.Sub(t.time) > abandoned {
			os.Remove(t.path)
		}
	}
}
