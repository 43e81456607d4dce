package data

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is read into the golden files")

// TestGolden reads the samples of testdata, each of which stands before the tree that must come of it.
func TestGolden(t *testing.T) {
	readers := map[string]func([]byte) File{".yaml": YAML, ".json": JSON, ".toml": TOML, ".properties": Properties}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out txtar.Archive
		out.Comment = archive.Comment
		for i, sample := range archive.Files {
			read := readers[filepath.Ext(sample.Name)]
			if read == nil {
				continue
			}
			f := read(sample.Data)
			check(t, f, sample.Data, false)
			got := []byte(dump(f, string(sample.Data)))
			out.Files = append(out.Files, sample, txtar.File{Name: sample.Name + ".tree", Data: got})
			if *update {
				continue
			}
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != sample.Name+".tree" {
				t.Fatalf("%s: %s has no tree", path, sample.Name)
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+sample.Name, func(t *testing.T) {
				if diff := cmp.Diff(string(archive.Files[i+1].Data), string(got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		if *update {
			if text := txtar.Format(&out); !bytes.Equal(text, txtar.Format(archive)) {
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
