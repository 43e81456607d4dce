// Package vocabulary knows the words of documents: what a table's header, a parameter's name, a state or a unit may be
// called in English and Chinese. The words are data, in words.txt; manifests add to them.
package vocabulary

import (
	_ "embed"
	"sort"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/schema"
)

//go:embed words.txt
var wordsFile string

// Lexicon finds the meanings of words. It never changes once made, and is safe for concurrent use.
type Lexicon struct {
	sections map[section]map[string][]string // word in normal form: meanings
	written  map[spelling]written            // the words as the vocabulary writes them
	prefixes []prefix                        // words for items, longest first
	base     *Lexicon                        // asked where this one has nothing; nil for the built-in one
}

// section is one part of words.txt.
type section string

const (
	columns     section = "columns"
	parameters  section = "parameters"
	items       section = "items"
	unqualified section = "unqualified"
	counts      section = "counts"
	outcomes    section = "outcomes"
	outside     section = "outside"
	values      section = "values"
	states      section = "states"
	flags       section = "flags"
	manual      section = "manual"
	whole       section = "whole"
	units       section = "units"
	counters    section = "counters"
	nothing     section = "nothing"
	totals      section = "totals"
	effective   section = "effective"
	zones       section = "zones"
	secrets     section = "secrets"
	inexact     section = "inexact"
)

// spelling is a word of a section in normal form.
type spelling struct {
	section section
	word    string
}

// written is a word as the vocabulary writes it; order is its place there.
type written struct {
	text  string
	order int
}

type prefix struct {
	word string
	item schema.Item
}

// builtin takes the words apart when somebody first asks for them.
var builtin = sync.OnceValue(load)

func load() *Lexicon {
	l := &Lexicon{sections: map[section]map[string][]string{}, written: map[spelling]written{}}
	at := section("")
	for line := range strings.Lines(wordsFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			at = section(strings.Trim(line, "[]"))
		default:
			meaning, words, _ := strings.Cut(line, ": ")
			for word := range strings.SplitSeq(words, ",") {
				l.add(at, meaning, word)
			}
		}
	}
	for _, e := range schema.Model() {
		l.add(parameters, string(e.Path), string(e.Path))
		l.add(section(e.Path.Item().String()), string(e.Path), e.Path.Leaf())
		for _, value := range e.Enum {
			l.add(values, value, value)
		}
	}
	l.index()
	return l
}

// Builtin returns the words that need no manifest.
func Builtin() *Lexicon { return builtin() }

// add gives a word one more meaning.
func (l *Lexicon) add(s section, meaning, word string) {
	text := strings.TrimSpace(word)
	word = Normal(word)
	if word == "" {
		return
	}
	if _, ok := l.written[spelling{s, word}]; !ok {
		l.written[spelling{s, word}] = written{text, len(l.written)}
	}
	m := l.sections[s]
	if m == nil {
		m = map[string][]string{}
		l.sections[s] = m
	}
	for _, known := range m[word] {
		if known == meaning {
			return
		}
	}
	m[word] = append(m[word], meaning)
}

// index prepares the prefixes by which parameter names say their item.
func (l *Lexicon) index() {
	for word, meanings := range l.sections[items] {
		for _, m := range meanings {
			if item, ok := schema.ParseItem(m); ok && item != schema.Members {
				l.prefixes = append(l.prefixes, prefix{word, item})
			}
		}
	}
	sort.Slice(l.prefixes, func(i, j int) bool {
		a, b := l.prefixes[i], l.prefixes[j]
		if len(a.word) != len(b.word) {
			return len(a.word) > len(b.word)
		}
		return a.word < b.word
	})
}

// With returns a lexicon that also knows the words of a manifest's vocabulary. A key is a meaning ("address",
// "cooldown.duration", "share") or any word that is known already ("Cooldown"); its words then mean the same. Keys that
// are neither add nothing: see Knows.
func (l *Lexicon) With(extra map[string][]string) *Lexicon {
	if len(extra) == 0 {
		return l
	}
	more := &Lexicon{sections: map[section]map[string][]string{}, written: map[spelling]written{}, base: l}
	keys := make([]string, 0, len(extra))
	for key := range extra {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		for _, known := range l.meanings(key) {
			for _, word := range extra[key] {
				more.add(known.section, known.meaning, word)
			}
		}
	}
	more.index()
	return more
}

// Knows reports whether a key of a manifest's vocabulary is a meaning or a known word.
func (l *Lexicon) Knows(key string) bool { return len(l.meanings(key)) > 0 }

type known struct {
	section section
	meaning string
}

// meanings returns every meaning that a manifest's key stands for, in a fixed order.
func (l *Lexicon) meanings(key string) []known {
	name := Normal(key)
	for _, group := range []string{"members", "member", "batches", "batch"} {
		if leaf, ok := strings.CutPrefix(key, group+"."); ok {
			name = Normal(leaf)
		}
	}
	var out []known
	seen := map[known]bool{}
	for s, words := range l.sections {
		for word, meanings := range words {
			for _, m := range meanings {
				k := known{s, m}
				if (word == name || Normal(m) == name) && !seen[k] {
					seen[k] = true
					out = append(out, k)
				}
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].section != out[j].section {
			return out[i].section < out[j].section
		}
		return out[i].meaning < out[j].meaning
	})
	if l.base != nil {
		out = append(out, l.base.meanings(key)...)
	}
	return out
}

// find returns the meanings of a word in normal form. A manifest's words come on top of the built-in ones.
func (l *Lexicon) find(s section, word string) []string {
	if word == "" {
		return nil
	}
	found := l.sections[s][word]
	if l.base == nil {
		return found
	}
	if len(found) == 0 {
		return l.base.find(s, word)
	}
	return append(found[:len(found):len(found)], l.base.find(s, word)...)
}

// first returns the first meaning of a word in normal form, or nothing.
func (l *Lexicon) first(s section, word string) string {
	if found := l.find(s, word); len(found) > 0 {
		return found[0]
	}
	return ""
}
