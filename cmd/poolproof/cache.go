package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/sources/cache"
)

// openCache returns the cache of results for a root, nil where there is no folder for it. What keeps it from working is
// said with -v only: a run without a cache is slower, not wrong.
func (o *options) openCache(root string) *cache.Cache {
	folder, err := os.UserCacheDir()
	if err != nil {
		o.note("no cache: %v", err)
		return nil
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil
	}
	return cache.Open(filepath.Join(folder, "poolproof"), abs, build())
}

// note tells people who asked for more about something that changes no result.
func (o *options) note(format string, args ...any) {
	if o.verbose {
		fmt.Fprintf(o.env.err, "poolproof: %s\n", report.ShownText(fmt.Sprintf(format, args...)))
	}
}

// build names the program that reads files, so that results of another one are never taken. Releases are named by their
// version; anything built from a working tree, by the program file itself.
func build() string {
	v := version()
	if strings.HasPrefix(v, "v") && !strings.Contains(v, "+") && !strings.Contains(v, "-") {
		return v
	}
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			return fmt.Sprintf("%s %d %d", v, info.Size(), info.ModTime().UnixNano())
		}
	}
	return v
}
