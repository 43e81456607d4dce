package haproxy

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/gateway/internal/spelling"
)

// speller knows what misspelt server parameters were meant to be. It looks at few different words: a file that is full of
// others is no configuration.
type speller struct {
	names []string
	near  map[string]string
}

const maxSpelt = 500

func (s *speller) nearest(word string) string {
	near, known := s.near[word]
	if known || len(s.near) >= maxSpelt {
		return near
	}
	if s.near == nil {
		s.names, s.near = slices.Sorted(maps.Keys(keywords)), map[string]string{}
	}
	near = spelling.Nearest(word, s.names)
	s.near[word] = near
	return near
}

// misspelt warns of the i-th word of a line if it resembles a parameter, and returns how many words after it are the
// arguments of what was meant. A word that resembles none may be a parameter of a newer version.
func (p *proxy) misspelt(l *line, i int) (args int) {
	w := l.words[i]
	near := p.speller.nearest(w.text)
	if near == "" {
		return 0
	}
	if p.other.Room(schema.Warning) {
		p.report(schema.Problem{Rule: "schema/unknown-key", Severity: schema.Warning, At: w.at, Item: schema.Members, Field: w.text, Got: w.text, Want: near,
			Text: schema.Textf("HAProxy knows no server parameter %q and refuses the file", "HAProxy 没有 server 参数 %q，会拒绝该文件", w.text),
			Hint: schema.Textf("did you mean %s?", "是否应为 %s？", near)})
	}
	return max(0, int(keywords[near].args))
}
