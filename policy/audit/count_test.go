package audit

import (
	"maps"
	"testing"

	"github.com/poolproof/poolproof/sources/load"
)

func TestFilesOf(t *testing.T) {
	l := &load.Loaded{Files: []*load.File{
		{Path: "a.yaml", Format: "mapped", Source: 0}, {Path: "a.yaml", Format: "mapped", Source: 1}, {Path: "a.yaml", Format: "spring", Source: 2},
		{Path: "b.cfg", Format: "haproxy", Source: 3}, {Path: "c", Source: 3},
	}}
	files, formats := filesOf(l)
	if files != 3 || !maps.Equal(formats, map[string]int{"mapped": 1, "spring": 1, "haproxy": 1}) {
		t.Errorf("%d files, %v", files, formats)
	}
}
