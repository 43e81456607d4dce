package tree

import (
	"strings"
	"testing"
)

func TestPointer(t *testing.T) {
	oid := strings.Repeat("aB", 32)
	text := "version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 12\n"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"as Git LFS writes it":      {text, true},
		"with line ends of Windows": {strings.ReplaceAll(text, "\n", "\r\n"), true},
		"of the first version":      {strings.Replace(text, "git-lfs.github", "hawser.github", 1), true},
		"an empty file":             {"", false},
		"no digest":                 {strings.Replace(text, oid, oid[2:], 1), false},
		"no size":                   {strings.Replace(text, "size 12", "size x", 1), false},
		"a negative size":           {strings.Replace(text, "size 12", "size -1", 1), false},
		"a text about it":           {"# " + text, false},
		"more than a pointer":       {text + strings.Repeat("x", 1024), false},
	} {
		got, size, ok := Pointer([]byte(c.text))
		if ok != c.want || ok && (got != strings.ToLower(oid) || size != 12) {
			t.Errorf("%s: %s, %d, %v", name, got, size, ok)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		pattern, dir string
		may, sure    bool
	}{
		{"app/*.yaml", "app", true, true},
		{"app/*.yaml", "app/sub", false, false},
		{"app/*.yaml", "docs", false, false},
		{"app/**/*.yaml", "app/sub", true, false},
		{"app/**/*.yaml", "docs/sub", false, false},
		{"**/*.yaml", "any/where", true, false},
		{"./envs/{env}/gw/*.cfg", "envs/prod", true, true},
		{"envs/{env}/gw/*.cfg", "envs/prod/gw", true, true},
		{"envs/{env}/gw/*.cfg", "envs/prod/app", false, false},
		{"{a/b,c}/*.cfg", "a", true, false},
		{"svc-*/application.yml", "svc-a", true, true},
		{"svc-*/application.yml", "lib", false, false},
	} {
		g, err := CompileGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if may, sure := g.Below(c.dir); may != c.may || sure != c.sure {
			t.Errorf("%s below %s: %v, %v", c.pattern, c.dir, may, sure)
		}
	}
}
