package load

import (
	"errors"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// A pointer of Git LFS is no file of any format, not even of one that takes every text, and reading it is not a result.
func TestPointersAreNotRead(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 12\n"
	l := mustLoad(t, files{"a": "alpha\np", "b": pointer}, &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Format: "alpha", Files: []string{"*"}}}}, Options{})
	if len(l.Files) != 2 || !l.Files[0].Sure() || l.Files[0].Failure() != nil {
		t.Fatalf("%+v", l.Files)
	}
	b := l.Files[1]
	if b.Sure() || !errors.Is(b.Failure(), tree.ErrPointer) || len(b.Result.Copies) > 0 || len(b.Result.Problems) != 1 || b.Result.Problems[0].Hint.En != "git lfs pull" {
		t.Errorf("%+v", b.Result)
	}
}

// folder is a tree with a folder that cannot be read.
type folder struct {
	files
	at    string
	apart bool
}

var errGone = errors.New("is gone")

func (f folder) List(dir string, skip func(string) bool) ([]tree.Entry, error) {
	list, err := f.files.List(dir, skip)
	if dir == "." || f.at == dir || strings.HasPrefix(f.at, dir+"/") {
		list = append(list, tree.Entry{Path: f.at, Err: errGone, Folder: true, Apart: f.apart})
	}
	return list, err
}

// What a folder that cannot be read may hold is not passed over, unless it is a submodule that nothing but a pattern over the
// whole tree leads into.
func TestFoldersThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		at, pattern, exclude string
		apart, listed, aside bool
	}{
		{at: "app", pattern: "app/*", listed: true},
		{at: "app/sub", pattern: "app/*.x"},
		{at: "app/sub", pattern: "app/**/*.x", listed: true},
		{at: "app/sub", pattern: "app/**/*.x", apart: true, listed: true},
		{at: "lib", pattern: "**/*.x", listed: true},
		{at: "lib", pattern: "**/*.x", apart: true, listed: true, aside: true},
		{at: "lib", pattern: "**/*.x", exclude: "lib/**", apart: true},
		{at: "docs", pattern: "app/**/*.x"},
	} {
		s := schema.Source{Side: schema.App, Format: "alpha", Files: []string{c.pattern}}
		if c.exclude != "" {
			s.Exclude = []string{c.exclude}
		}
		l := mustLoad(t, folder{files{"app/a": "alpha\np", "docs/x": "y"}, c.at, c.apart}, &schema.Manifest{Sources: []schema.Source{s}}, Options{})
		listed, aside := false, false
		for _, f := range l.Files {
			if f.Path == c.at {
				listed, aside = true, f.Aside()
			}
		}
		if listed != c.listed || aside != c.aside {
			t.Errorf("%+v: listed %v, aside %v", c, listed, aside)
		}
	}
}
