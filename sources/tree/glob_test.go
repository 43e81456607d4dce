package tree

import "testing"

// TestSimpleGlobs: patterns that are compared without their expression match what the expression matches.
func TestSimpleGlobs(t *testing.T) {
	paths := []string{
		"", "/", ".yaml", "x.yaml", "a.yaml", "a/x.yaml", "a/.yaml", "a/b/x.yaml", "a/b/c/x.yaml", "ab/x.yaml", "b/x.yaml", "a//x.yaml", "a/b//x.yaml", "a/x.yml", "a/x.yaml/", "a/x.yaml.bak",
		"/x.yaml", "a", "a/", "a/yaml", "a/x.yaml\n", "a/\nx.yaml", "a/x", "b/a/x.yaml", "a.b/x.yaml",
	}
	simple := 0
	for _, pattern := range []string{"*", "*.yaml", "**/*", "**/*.yaml", "a/*", "a/*.yaml", "a/**/*", "a/**/*.yaml", "a/b/*.yaml", "a.b/*", "./a/*.yaml", "**", "a/**", "a/*b/*.yaml", "a*/x.yaml", "a/x*.yaml", "{a,b}/*.yaml", "a/**/b/*.yaml"} {
		g, err := CompileGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if g.simple {
			simple++
		}
		for _, p := range paths {
			_, got := g.Match(p)
			if want := g.re.MatchString(p); got != want {
				t.Errorf("%s of %q: %v, and %v by its expression", pattern, p, got, want)
			}
		}
	}
	if simple != 11 {
		t.Errorf("%d patterns are simple, want 11", simple)
	}
}
