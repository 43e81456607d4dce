package tree

import (
	"fmt"
	"regexp"
	"strings"
)

// Glob is a compiled file pattern of a manifest: '*' and '?' inside a path element, '**' for any number of elements,
// [a-z] classes, {a,b} alternatives, and {env}, which stands for (a part of) one element and captures it.
type Glob struct {
	pattern string
	re      *regexp.Regexp
	env     int // index of the capture, 0 for none
	base    string
	literal bool
	// simple patterns are base/*tail and base/**/*tail, without {env}: they are compared without the expression.
	simple, deep bool
	tail         string
}

// CompileGlob compiles a pattern. Errors name what is wrong with it.
func CompileGlob(pattern string) (*Glob, error) {
	clean := strings.TrimPrefix(pattern, "./")
	switch {
	case clean == "":
		return nil, fmt.Errorf("empty file pattern")
	case strings.HasPrefix(clean, "/"):
		return nil, fmt.Errorf("%q is absolute; file patterns start at the root of the manifest", pattern)
	}
	for _, part := range strings.Split(clean, "/") {
		if part == ".." {
			return nil, fmt.Errorf("%q leaves the root", pattern)
		}
	}
	g := &Glob{pattern: pattern}
	var b strings.Builder
	b.WriteString("^(?s:")
	for i := 0; i < len(clean); {
		switch c := clean[i]; {
		case strings.HasPrefix(clean[i:], "**/"):
			b.WriteString("(?:[^/]+/)*")
			i += 3
		case strings.HasPrefix(clean[i:], "**"):
			b.WriteString(".*")
			i += 2
		case c == '*':
			b.WriteString("[^/]*")
			i++
		case c == '?':
			b.WriteString("[^/]")
			i++
		case strings.HasPrefix(clean[i:], "{env}"):
			if g.env != 0 {
				return nil, fmt.Errorf("%q captures {env} twice", pattern)
			}
			g.env = 1
			b.WriteString("([^/]+?)")
			i += len("{env}")
		case c == '{':
			end := strings.IndexByte(clean[i:], '}')
			if end < 0 {
				return nil, fmt.Errorf("%q: '{' without '}'", pattern)
			}
			var alternatives []string
			for _, a := range strings.Split(clean[i+1:i+end], ",") {
				alternatives = append(alternatives, regexp.QuoteMeta(a))
			}
			b.WriteString("(?:" + strings.Join(alternatives, "|") + ")")
			i += end + 1
		case c == '[':
			end := strings.IndexByte(clean[i+1:], ']')
			if end < 1 {
				return nil, fmt.Errorf("%q: '[' without ']'", pattern)
			}
			class := clean[i+1 : i+1+end]
			class = strings.ReplaceAll(class, `\`, `\\`)
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			b.WriteString("[" + class + "]")
			i += end + 2
		default:
			n := strings.IndexAny(clean[i:], "*?{[")
			if n < 0 {
				n = len(clean) - i
			}
			b.WriteString(regexp.QuoteMeta(clean[i : i+n]))
			i += n
		}
	}
	b.WriteString(")$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("%q is no file pattern: %w", pattern, err)
	}
	g.re = re
	first := strings.IndexAny(clean, "*?{[")
	if g.literal = first < 0; g.literal {
		g.base = clean
		return g, nil
	}
	g.base = "."
	if slash := strings.LastIndexByte(clean[:first], '/'); slash > 0 {
		g.base = clean[:slash]
	}
	g.simplify(clean)
	return g, nil
}

// simplify finds out whether the pattern is simple.
func (g *Glob) simplify(clean string) {
	rest := strings.TrimPrefix(clean, g.base+"/")
	rest, g.deep = strings.CutPrefix(rest, "**/")
	if tail, ok := strings.CutPrefix(rest, "*"); ok && !strings.ContainsAny(tail, "*?{[/") {
		g.simple, g.tail = true, tail
	}
}

// Base is the deepest folder that holds all matches, or the file itself where the pattern has no wildcards.
func (g *Glob) Base() string { return g.base }

// Literal reports whether the pattern names one file.
func (g *Glob) Literal() bool { return g.literal }

// Match reports whether a path matches, and what {env} captured.
func (g *Glob) Match(path string) (env string, ok bool) {
	if g.literal {
		return "", path == g.base
	}
	if g.simple {
		return "", g.matchSimple(path)
	}
	if g.env == 0 {
		return "", g.re.MatchString(path)
	}
	m := g.re.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	return m[g.env], true
}

// Below reports whether a match can lie below a folder. sure: it need not be a '**' that leads there.
func (g *Glob) Below(dir string) (may, sure bool) {
	pattern := strings.Split(strings.TrimPrefix(g.pattern, "./"), "/")
	for i, name := range strings.Split(dir, "/") {
		if i >= len(pattern)-1 {
			return false, false
		}
		if strings.Contains(pattern[i], "**") || strings.Contains(pattern[i], "{") != strings.Contains(pattern[i], "}") { // {a/b,c}
			return true, false
		}
		if part, err := CompileGlob(pattern[i]); err != nil {
			return true, false
		} else if _, ok := part.Match(name); !ok {
			return false, false
		}
	}
	return true, true
}

func (g *Glob) matchSimple(path string) bool {
	if g.base != "." {
		rest, ok := strings.CutPrefix(path, g.base)
		if !ok || rest == "" || rest[0] != '/' {
			return false
		}
		path = rest[1:]
	}
	slash := strings.LastIndexByte(path, '/')
	if slash >= 0 && !g.deep {
		return false
	}
	// No element on the way is empty, as in the expression.
	return strings.HasSuffix(path[slash+1:], g.tail) && !strings.HasPrefix(path, "/") && !strings.Contains(path, "//")
}
