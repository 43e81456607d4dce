package draft

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// finder turns files of known formats into sources with few patterns.
type finder struct {
	files  []string          // of the tree
	format map[string]string // of the files of known formats
	kinds  []kind
	envs   map[string]bool // words that are environments here
}

// kind is the files of one side and format.
type kind struct {
	side   schema.Side
	format string
	files  []string
}

// tests reports a file that configures tests of a Java project: it is on nobody's side.
func tests(p string) bool {
	return strings.HasPrefix(p, "src/test/") || strings.Contains(p, "/src/test/")
}

func (f *finder) add(side schema.Side, file *load.File) {
	for i := range f.kinds {
		if k := &f.kinds[i]; k.side == side && k.format == file.Format {
			k.files = append(k.files, file.Path)
			return
		}
	}
	f.kinds = append(f.kinds, kind{side, file.Format, []string{file.Path}})
}

// findEnvironments finds the words that tell environments apart: at least two stand in the same place of paths of
// applications or gateways, or the folder above says so.
func (f *finder) findEnvironments() {
	f.envs = map[string]bool{}
	words := map[string][]string{}
	for _, k := range f.kinds {
		if k.side != schema.App && k.side != schema.Gateway {
			continue
		}
		for _, file := range k.files {
			if p, ok := environmentOf(file); ok {
				words[p.pattern] = append(words[p.pattern], p.word)
				if p.certain {
					f.envs[p.word] = true
				}
			}
		}
	}
	for _, list := range words {
		if slices.Sort(list); len(slices.Compact(list)) > 1 {
			for _, word := range list {
				f.envs[word] = true
			}
		}
	}
}

// environment notes the environment in a file's path, if the folder above says that it is one.
func (f *finder) environment(file string) {
	if p, ok := environmentOf(file); ok && p.certain {
		f.envs[p.word] = true
	}
}

func (f *finder) sources() []Source {
	var out []Source
	for _, k := range f.kinds {
		if k.format == "spring" {
			out = append(out, f.spring(k)...)
			continue
		}
		out = append(out, Source{Source: schema.Source{Side: k.side, Format: k.format, Files: f.patterns(k)}, Count: len(k.files)})
	}
	return out
}

// spring gives each profile that stands beside an application a source of its own.
func (f *finder) spring(k kind) []Source {
	has := map[string]bool{} // folders with an application file of no profile
	for _, file := range k.files {
		if base := path.Base(file); strings.TrimSuffix(base, path.Ext(base)) == "application" {
			has[path.Dir(file)] = true
		}
	}
	profiles := map[string][]string{} // folder: its profiles
	var plain kind
	plain.side, plain.format = k.side, k.format
	for _, file := range k.files {
		base := path.Base(file)
		profile, ok := strings.CutPrefix(strings.TrimSuffix(base, path.Ext(base)), "application-")
		if dir := path.Dir(file); ok && has[dir] {
			profiles[dir] = append(profiles[dir], profile)
			continue
		}
		plain.files = append(plain.files, file)
	}
	byProfile := map[string]kind{}
	for _, file := range plain.files {
		list := profiles[path.Dir(file)]
		if base := path.Base(file); !strings.HasPrefix(base, "application.") {
			list = nil
		}
		for _, p := range append([]string{}, list...) {
			byProfile[p] = kind{k.side, k.format, append(byProfile[p].files, file)}
		}
		if len(list) == 0 {
			byProfile[""] = kind{k.side, k.format, append(byProfile[""].files, file)}
		}
	}
	var out []Source
	names := make([]string, 0, len(byProfile))
	for p := range byProfile {
		names = append(names, p)
	}
	sort.Strings(names)
	for _, p := range names {
		s := Source{Source: schema.Source{Side: k.side, Format: k.format, Files: f.patterns(byProfile[p])}, Count: len(byProfile[p].files)}
		if p != "" {
			s.Profiles = []string{p}
			if slices.Contains(environmentWords, strings.ToLower(p)) || f.envs[p] {
				s.Env = p
			}
		}
		out = append(out, s)
	}
	return out
}
