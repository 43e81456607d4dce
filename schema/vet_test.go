package schema_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// TestCUEVet runs the cue command with the module, as users do: testdata/DEFINITION/good-* pass and bad-* do not.
func TestCUEVet(t *testing.T) {
	cue := filepath.Join(t.TempDir(), "cue")
	if out, err := exec.Command("go", "build", "-o", cue, "cuelang.org/go/cmd/cue").CombinedOutput(); err != nil {
		t.Fatalf("building cue: %v\n%s", err, out)
	}
	files, err := filepath.Glob("testdata/*/*")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			def := filepath.Base(filepath.Dir(file))
			cmd := exec.Command(cue, "vet", "-c", "-d", "#"+def, ".", file)
			out, err := cmd.CombinedOutput()
			good := strings.HasPrefix(filepath.Base(file), "good-")
			if (err == nil) != good {
				t.Errorf("good is %v, cue vet says %v\n%s", good, err, out)
			}
		})
	}
	if out, err := exec.Command(cue, "fmt", "--check", ".").CombinedOutput(); err != nil {
		t.Errorf("the schema is not formatted: %v\n%s", err, out)
	}
}

// TestEmbedded holds the embedded module equal to the folder.
func TestEmbedded(t *testing.T) {
	var got, want []string
	if err := fs.WalkDir(schema.CUE(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		got = append(got, path)
		embedded, err := fs.ReadFile(schema.CUE(), path)
		if err != nil {
			return err
		}
		if written, err := os.ReadFile(path); err != nil || !bytes.Equal(embedded, written) {
			t.Errorf("%s: embedded and written differ (%v)", path, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want, err := filepath.Glob("*.cue")
	if err != nil {
		t.Fatal(err)
	}
	want = append([]string{"cue.mod/module.cue"}, want...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("embedded files (-want +got):\n%s", diff)
	}
}
