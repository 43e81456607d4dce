package spring

import (
	"maps"
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/sources/bind"
)

// Bounds on values that come from other properties, so that properties that name each other cost little.
const (
	maxResolved = 4 << 10
	maxChain    = 8
)

// vars returns the values for the placeholders of a text: the manifest's, and for names that it lacks the application's
// own properties.
func (r *reader) vars(text string) map[string]string {
	return r.varsOf(text, 0)
}

func (r *reader) varsOf(text string, depth int) map[string]string {
	vars := r.in.Vars
	if strings.Count(text, "${") > maxElements {
		return vars
	}
	copied := false
	for _, name := range placeholderNames(text) {
		if _, ok := vars[name]; ok {
			continue
		}
		value, ok := r.in.Vars[environmentName(name)]
		if !ok {
			value, ok = r.property(name, depth)
		}
		if !ok {
			continue
		}
		if !copied {
			vars, copied = maps.Clone(vars), true
			if vars == nil {
				vars = map[string]string{}
			}
		}
		vars[name] = value
	}
	return vars
}

// environmentName is the variable that Spring would read a property from: dots become '_', dashes go.
func environmentName(name string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '.', '[':
			return '_'
		case '-', ']':
			return -1
		}
		return unicode.ToUpper(c)
	}, name)
}

// property returns the value of one of the application's own properties.
func (r *reader) property(name string, depth int) (string, bool) {
	if depth > maxChain {
		return "", false
	}
	if known, ok := r.resolved[name]; ok {
		return known, known != unresolvable
	}
	p := r.root
	for _, e := range elements(name) {
		p = p.child(e.name)
	}
	s, ok := p.scalar()
	if !ok {
		return "", false
	}
	if r.resolved == nil {
		r.resolved = map[string]string{}
	}
	r.resolved[name] = unresolvable // while it is worked out: a property that names itself has no value
	value, ok := bind.Expand(s.Text, r.varsOf(s.Text, depth+1), placeholders)
	if !ok || len(value) > maxResolved {
		return "", false
	}
	r.resolved[name] = value
	return value, true
}

// unresolvable marks a property without a value; no file can hold it.
const unresolvable = "\x00"

// placeholderNames lists the names of the placeholders in a text, those inside defaults too.
func placeholderNames(text string) []string {
	var out []string
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			return out
		}
		text = text[i+2:]
		end := strings.IndexAny(text, ":}$")
		if end < 0 {
			return out
		}
		if name := strings.TrimSpace(text[:end]); name != "" {
			out = append(out, name)
		}
		text = text[end:]
	}
}
