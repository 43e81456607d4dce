package secret

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write(filepath.Join(outside, "good"), " s3cret\n")
	inside := write(filepath.Join(root, "inside"), "s3cret")
	link := filepath.Join(outside, "link")
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ where, want, wrong string }{
		{good, "s3cret", ""},
		{"env:POOLPROOF_A", "s3cret", ""},
		{"env:POOLPROOF_B", "", "not set"},
		{"env:POOLPROOF_", "", "does not start with"},
		{"env:AWS_SECRET_ACCESS_KEY", "", "does not start with"},
		{inside, "", "inside the watched tree"},
		{link, "", "inside the watched tree"},
		{filepath.Join(outside, "..", filepath.Base(root), "inside"), "", "inside the watched tree"},
		{"good", "", "no absolute path"},
		{outside, "", "no regular file"},
		{filepath.Join(outside, "none"), "", "no such file"},
		{write(filepath.Join(outside, "empty"), "\n"), "", "is empty"},
		{write(filepath.Join(outside, "two"), "s3cret\ns3cret"), "", "no single line"},
		{write(filepath.Join(outside, "huge"), strings.Repeat("s3cret", 20000)), "", "larger than"},
	} {
		r := Ref{Where: tt.where, Root: root, Env: func(name string) (string, bool) {
			return "s3cret", name == "POOLPROOF_A" || !strings.HasPrefix(name, "POOLPROOF_")
		}}
		got, err := r.Read()
		switch {
		case got != tt.want, (err == nil) != (tt.wrong == ""):
			t.Errorf("%s: %q, %v", tt.where, got, err)
		case err != nil && (!strings.Contains(err.Error(), tt.wrong) || strings.Contains(err.Error(), "s3cret")):
			t.Errorf("%s: %v", tt.where, err)
		}
	}
}
