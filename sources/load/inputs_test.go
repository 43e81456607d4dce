package load

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// TestInputs changes one thing after the other and asks whether it is noticed.
func TestInputs(t *testing.T) {
	adapter := sources.Adapter{Name: "x", Sides: []schema.Side{schema.App}, Siblings: true, Read: func(in sources.Input) sources.Result {
		_, _ = in.Sibling("beside.txt")
		return sources.Result{}
	}}
	m := &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Format: "x", Files: []string{"*.conf"}}}}
	o := Options{Adapters: []sources.Adapter{adapter}}
	for name, change := range map[string]struct {
		do   func(dir string) error
		want bool
	}{
		"nothing":            {func(string) error { return nil }, true},
		"another file":       {func(dir string) error { return os.WriteFile(filepath.Join(dir, "other.txt"), nil, 0o600) }, true},
		"same content again": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.conf"), []byte("a"), 0o600) }, true},
		"content":            {func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.conf"), []byte("b"), 0o600) }, false},
		"new file":           {func(dir string) error { return os.WriteFile(filepath.Join(dir, "b.conf"), nil, 0o600) }, false},
		"file gone":          {func(dir string) error { return os.Remove(filepath.Join(dir, "a.conf")) }, false},
		"renamed":            {func(dir string) error { return os.Rename(filepath.Join(dir, "a.conf"), filepath.Join(dir, "c.conf")) }, false},
		"file beside":        {func(dir string) error { return os.WriteFile(filepath.Join(dir, "beside.txt"), nil, 0o600) }, false},
		"unreadable": {func(dir string) error {
			if err := os.Remove(filepath.Join(dir, "a.conf")); err != nil {
				return err
			}
			return os.Symlink("/etc/hostname", filepath.Join(dir, "a.conf"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.conf"), []byte("a"), 0o600); err != nil {
				t.Fatal(err)
			}
			w, err := tree.OpenWork(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			l, err := Load(context.Background(), w, m, o)
			if err != nil {
				t.Fatal(err)
			}
			in := l.Inputs()
			if err := change.do(dir); err != nil {
				t.Fatal(err)
			}
			if got, err := in.Unchanged(context.Background(), w, m, o); err != nil || got != change.want {
				t.Errorf("unchanged: %v, %v; want %v", got, err, change.want)
			}
		})
	}
}
