package draft

import (
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// guessed makes sources of home-made files; files of several environments that are read alike become one.
func (f *finder) guessed(list []guessed) []Source {
	var order []string
	byMap := map[string]*kind{}
	maps := map[string]*schema.Map{}
	for _, g := range list {
		id := fmt.Sprintf("%+v", g.m)
		if at, ok := environmentOf(g.file); ok && f.envs[at.word] {
			id += at.pattern
		} else {
			id += g.file
		}
		if byMap[id] == nil {
			order = append(order, id)
			byMap[id], maps[id] = &kind{side: schema.App, format: "mapped"}, &g.m
		}
		if k := byMap[id]; !slices.Contains(k.files, g.file) {
			k.files = append(k.files, g.file)
		}
	}
	var out []Source
	for _, id := range order {
		k := byMap[id]
		out = append(out, Source{Source: schema.Source{Side: k.side, Format: k.format, Files: f.patterns(*k), Map: maps[id]}, Count: len(k.files), Guess: true})
	}
	return out
}
