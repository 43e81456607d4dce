package spring

import (
	"os"
	"testing"
	"path/filepath"
	"io/fs"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func TestScratch(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("SCRATCH"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		r := sourcetest.Read(Adapter(), f, text, schema.Source{})
		t.Log("=====", f, detect(f, text), "\n"+sourcetest.Dump(r, text))
	}
}

func TestCorpusScratch(t *testing.T) {
	filepath.WalkDir("/work/shared", func(p string, d fs.DirEntry, err error) error {
		if d.IsDir() { return nil }
		text, _ := os.ReadFile(p)
		if c := detect(p, text); c > 0 { t.Log(p, c) }
		r := sourcetest.Check(t, Adapter(), p, text)
		if len(r.Copies) > 0 { t.Log(p, len(r.Copies)) }
		for _, x := range r.Problems { if x.Rule != "source/syntax" {t.Log(p, x.Rule, x.Text.En)} }
		return nil
	})
}
