package reconcile

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// envMark stands for the environment in a name of the manifest: "Orders pool ({env})" names one copy an environment.
const envMark = "{env}"

// patterns are the names of the manifest that hold the environment.
type patterns struct {
	list []pattern
	// of are the patterns by side and by what stands before the mark, in small letters.
	of map[sideKey][]int
	// envs are the environments of the tree, and names what the patterns become in each of them.
	envs  []string
	names map[string]map[sideKey]*pattern
}

type pattern struct {
	side          schema.Side
	before, after string
	entry         *schema.PoolEntry
}

// written is the name as the manifest has it, up to spelling.
func (x *pattern) written() string { return x.before + envMark + x.after }

// patternsOf collects the names with an environment. The result is nil if there are none.
func patternsOf(m *schema.Manifest, copies []*schema.Copy) *patterns {
	p := &patterns{of: map[sideKey][]int{}, names: map[string]map[sideKey]*pattern{}}
	for i := range m.Pools {
		e := &m.Pools[i]
		for _, side := range sides {
			for _, name := range e.Names[side] {
				name, _ := schema.Fold(name)
				if before, after, ok := strings.Cut(name, envMark); ok {
					k := sideKey{side, strings.ToLower(before)}
					p.of[k] = append(p.of[k], len(p.list))
					p.list = append(p.list, pattern{side, before, after, e})
				}
			}
		}
	}
	if len(p.list) == 0 {
		return nil
	}
	for i := range m.Sources {
		p.know(m.Sources[i].Env)
	}
	for _, c := range copies {
		p.know(c.Env)
	}
	slices.Sort(p.envs)
	return p
}

func (p *patterns) know(env string) {
	if env == "" || p.names[env] != nil {
		return
	}
	names := map[sideKey]*pattern{}
	for i := range p.list {
		x := &p.list[i]
		names[sideKey{x.side, Key(x.before + env + x.after)}] = x
	}
	p.names[env] = names
	p.envs = append(p.envs, env)
}

// find returns the pattern that a name follows, and the environment that it then says; env is the copy's own environment, empty if it has
// none. An environment that nothing else of the tree has counts as well, so that a misspelt one is seen.
func (p *patterns) find(side schema.Side, name, env string) (*pattern, string) {
	if p == nil {
		return nil, ""
	}
	k := sideKey{side, Key(name)}
	if env != "" {
		p.know(env)
		return p.names[env][k], env
	}
	for _, known := range p.envs {
		if x := p.names[known][k]; x != nil {
			return x, known
		}
	}
	folded, _ := schema.Fold(name)
	folded = strings.TrimSpace(folded)
	lower := strings.ToLower(folded)
	if len(lower) != len(folded) {
		lower = folded // letters that change their length: only as written
	}
	for n := range len(lower) {
		for _, i := range p.of[sideKey{side, lower[:n]}] {
			x := &p.list[i]
			rest, ok := strings.CutSuffix(lower[n:], strings.ToLower(x.after))
			if rest = strings.TrimSpace(folded[n : n+len(rest)]); ok && rest != "" {
				return x, rest
			}
		}
	}
	return nil, ""
}

// HasEnv reports whether a name of the manifest stands for one name an environment.
func HasEnv(name string) bool { return strings.Contains(name, envMark) }
