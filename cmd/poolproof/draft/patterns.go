package draft

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree"
)

// How many files must stand alike before they become one pattern: in one folder, and in folders beside each other.
const (
	fewInFolder  = 2
	fewInFolders = 3
)

// patterns are the files of a kind as patterns: environments are captured, and files that stand alike become one
// pattern, as long as it matches no file of another kind.
func (f *finder) patterns(k kind) []string {
	// Files of environments and others are written apart: a pattern that spans both would read the same file twice, once
	// for its environment and once for all.
	one, all := kind{side: k.side, format: k.format}, kind{side: k.side, format: k.format}
	for _, file := range k.files {
		if at, ok := environmentOf(file); ok && f.envs[at.word] {
			one.files = append(one.files, file)
		} else {
			all.files = append(all.files, file)
		}
	}
	return unique(append(f.alike(one), f.alike(all)...))
}

// alike are the patterns of files that all stand for an environment, or all do not.
func (f *finder) alike(k kind) []string {
	own := map[string]bool{}
	var list []string
	for _, file := range k.files {
		own[file] = true
		p := load.EscapePattern(file)
		if at, ok := environmentOf(file); ok && f.envs[at.word] {
			p = at.pattern
		}
		list = append(list, p)
	}
	list = unique(list)
	if k.side == schema.Doc {
		list = f.widen(list, 1, k.side, own, func(p string) []string {
			captures := strings.Contains(p, "{env}")
			for i, dir := range strings.Split(path.Dir(p), "/") {
				// A wider pattern must not forget which environment the document speaks of.
				if captures && dir == "{env}" || !captures && documents(dir) {
					return []string{strings.Join(strings.Split(p, "/")[:i+1], "/") + "/**/*" + path.Ext(p)}
				}
			}
			return nil
		})
	}
	few := fewInFolder
	if k.side == schema.Order {
		few = 1 // the next change order is a new file, and must not be left out
	}
	list = f.widen(list, few, k.side, own, func(p string) []string {
		if path.Ext(p) == "" || strings.Contains(path.Base(p), "{env}") {
			return nil
		}
		wide := []string{path.Join(path.Dir(p), "*"+path.Ext(p))}
		if number := strings.IndexAny(path.Base(p), "0123456789"); number > 0 && k.side == schema.Order {
			wide = append(wide, path.Join(path.Dir(p), path.Base(p)[:number]+"*"+path.Ext(p)))
		}
		return wide
	})
	return f.widen(list, fewInFolders, k.side, own, func(p string) []string {
		var wide []string
		parts := strings.Split(p, "/")
		for i := range parts[:len(parts)-1] {
			if !strings.ContainsAny(parts[i], "*{") {
				wide = append(wide, strings.Join(slices.Concat(parts[:i:i], []string{"*"}, parts[i+1:]), "/"))
			}
		}
		return wide
	})
}

// widen replaces patterns by wider ones that at least few of them share, those that most share first.
func (f *finder) widen(list []string, few int, side schema.Side, own map[string]bool, wider func(string) []string) []string {
	shared := map[string][]string{}
	for _, p := range list {
		for _, w := range wider(p) {
			shared[w] = append(shared[w], p)
		}
	}
	candidates := make([]string, 0, len(shared))
	for w := range shared {
		candidates = append(candidates, w)
	}
	sort.Slice(candidates, func(i, j int) bool {
		a, b := candidates[i], candidates[j]
		return len(shared[a]) > len(shared[b]) || len(shared[a]) == len(shared[b]) && a < b
	})
	gone := map[string]bool{}
	var out []string
	for tried, w := range candidates {
		left := slices.DeleteFunc(slices.Clone(shared[w]), func(p string) bool { return gone[p] })
		if tried >= maxWider || len(left) < few || !f.fits(w, side, own) {
			continue
		}
		for _, p := range left {
			gone[p] = true
		}
		out = append(out, w)
	}
	for _, p := range list {
		if !gone[p] {
			out = append(out, p)
		}
	}
	return unique(out)
}

// maxWider bounds how many wider patterns are tried, since each looks at all files.
const maxWider = 300

// fits reports whether a pattern matches files of its own kind alone. Documents without tables say nothing, so they may
// be matched as well.
func (f *finder) fits(pattern string, side schema.Side, own map[string]bool) bool {
	g, err := tree.CompileGlob(pattern)
	if err != nil {
		return false
	}
	for _, file := range f.files {
		if own[file] || side == schema.Doc && f.format[file] == "" && !tests(file) {
			continue
		}
		if _, ok := g.Match(file); ok {
			return false
		}
	}
	return true
}

func documents(dir string) bool {
	return slices.Contains(strings.Fields("doc docs documentation wiki runbook runbooks 文档"), strings.ToLower(dir))
}

func unique(list []string) []string {
	sort.Strings(list)
	return slices.Compact(list)
}
