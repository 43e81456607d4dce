// Package testdata holds the module to its house rules: which way imports point, and how long files are.
package testdata

import (
	"bufio"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/poolproof/poolproof/"

// rooms are the rooms of the house; each may import those before it.
var rooms = []string{"schema", "sources", "reconcile", "policy", "cmd"}

func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join("..", room), func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == "testdata" && d.IsDir() {
				return filepath.SkipDir
			}
			if err == nil && strings.HasSuffix(p, ".go") {
				files = append(files, filepath.ToSlash(p))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 50 {
		t.Fatalf("only %d files found: the test looks in the wrong place", len(files))
	}
	return files
}

func TestImportsPointOneWay(t *testing.T) {
	rank := map[string]int{}
	for i, r := range rooms {
		rank[r] = i
	}
	for _, file := range goFiles(t) {
		room := strings.Split(file, "/")[1]
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			inside, ok := strings.CutPrefix(path, module)
			if !ok {
				continue
			}
			other := strings.Split(inside, "/")[0]
			if r, known := rank[other]; !known || r > rank[room] {
				t.Errorf("%s imports %s, which lies to its right", file, path)
			}
		}
	}
}

func TestFilesStaySmall(t *testing.T) {
	var lengths []int
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_gen.go") {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); lines++ {
		}
		f.Close()
		lengths = append(lengths, lines)
		if lines > 500 {
			t.Errorf("%s has %d lines; 500 is the most", file, lines)
		}
	}
	sort.Ints(lengths)
	if median := lengths[len(lengths)/2]; median > 150 {
		t.Error(fmt.Sprintf("the median file has %d lines; 150 is the most", median))
	}
}

// TestHouseHabits looks for what makes packages hard to test and to embed: init functions, and exits below main.
func TestHouseHabits(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "func init()"):
				t.Errorf("%s:%d: an init function", file, i+1)
			case strings.Contains(line, "os.Exit(") && !strings.HasSuffix(file, "/main.go"), strings.Contains(line, "log.Fatal"):
				t.Errorf("%s:%d: only main exits", file, i+1)
			}
		}
	}
}
