package files

import (
	"path"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// Patterns are the files of a manifest's sources.
type Patterns struct {
	sources []source
}

type source struct {
	files, exclude []pattern
}

// pattern is a file pattern that also tells which folders can hold what it matches.
type pattern struct {
	glob *tree.Glob
	// parts match the folders on the way, as far as each stands for one.
	parts []*tree.Glob
	// deep: below parts, every folder can hold matches.
	deep bool
	// whole matches the folders of which everything matches; nil if there are none.
	whole *tree.Glob
}

// NewPatterns returns the files that sources name in the tree itself. Patterns that cannot be compiled name nothing: who
// reads the tree says what is wrong with them.
func NewPatterns(list []schema.Source) *Patterns {
	p := &Patterns{}
	for i := range list {
		if s := &list[i]; s.Repo == "" {
			p.sources = append(p.sources, source{compile(s.Files), compile(s.Exclude)})
		}
	}
	return p
}

func compile(list []string) []pattern {
	var out []pattern
	for _, text := range list {
		glob, err := tree.CompileGlob(text)
		if err != nil {
			continue
		}
		p := pattern{glob: glob}
		clean := path.Clean(strings.TrimPrefix(text, "./"))
		if before, ok := strings.CutSuffix(clean, "/**"); ok {
			p.whole, _ = tree.CompileGlob(before)
		}
		if glob.Literal() {
			clean = glob.Base()
		}
		parts := strings.Split(clean, "/")
		for i, part := range parts {
			last := i == len(parts)-1
			g, err := tree.CompileGlob(part)
			if err != nil || strings.Contains(part, "**") || !balanced(part) {
				p.deep = true
				break
			}
			if !last {
				p.parts = append(p.parts, g)
			}
		}
		out = append(out, p)
	}
	return out
}

// balanced reports whether no alternative or class reaches over the end of a part.
func balanced(part string) bool {
	return strings.Count(part, "{") == strings.Count(part, "}") && strings.Count(part, "[") == strings.Count(part, "]")
}

// Wants reports whether a path is one of the files.
func (p *Patterns) Wants(name string) bool {
	for i := range p.sources {
		s := &p.sources[i]
		if matches(s.files, name) && !matches(s.exclude, name) {
			return true
		}
	}
	return false
}

func matches(list []pattern, name string) bool {
	for i := range list {
		if _, ok := list[i].glob.Match(name); ok {
			return true
		}
	}
	return false
}

// Reaches reports whether files can stand in a folder or below it. Folders of git, and of other people's packages unless
// a pattern names them, are left out.
func (p *Patterns) Reaches(dir string) bool {
	if dir == "." {
		return true
	}
	base := path.Base(dir)
	if base == ".git" {
		return false
	}
	parts := strings.Split(dir, "/")
	for i := range p.sources {
		s := &p.sources[i]
		if excluded(s.exclude, dir) {
			continue
		}
		for j := range s.files {
			if s.files[j].reaches(parts, base == "node_modules") {
				return true
			}
		}
	}
	return false
}

func excluded(list []pattern, dir string) bool {
	for i := range list {
		if w := list[i].whole; w != nil {
			if _, ok := w.Match(dir); ok {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a folder lies on the way to what matches; named: only if a part of the pattern stands for it.
func (p *pattern) reaches(dir []string, named bool) bool {
	for i, name := range dir {
		if i == len(p.parts) {
			return p.deep && !named
		}
		if _, ok := p.parts[i].Match(name); !ok {
			return false
		}
	}
	return true
}
