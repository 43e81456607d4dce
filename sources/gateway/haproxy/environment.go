package haproxy

import "github.com/poolproof/poolproof/sources/bind"

// environment reads the lines of a global section that set variables for the rest of the file: setenv always, presetenv
// where the environment of HAProxy has none of the name. Values of the manifest come before both, because they are what
// the environment is known to hold. What a template or condition decides stays unknown.
func (r *reader) environment(l *line) {
	if len(l.words) < 2 || l.opaque || max(since(l.tpl, nil), since(l.dot, nil)) >= cond {
		return
	}
	name := l.words[1].text
	switch keyword := l.words[0].text; {
	case keyword == "unsetenv":
		for _, w := range l.words[1:] {
			if _, known := r.in.Vars[w.text]; !known {
				delete(r.vars, w.text)
			}
		}
	case keyword != "setenv" && keyword != "presetenv", len(l.words) != 3, l.words[2].templated, name == "":
	case r.known(name, keyword):
	default:
		value, ok := bind.Expand(l.words[2].text, r.vars, syntax)
		if !ok {
			delete(r.vars, name)
			return
		}
		if r.vars == nil {
			r.vars = map[string]string{}
		}
		r.vars[name] = value
	}
}

// known reports whether a variable keeps the value that it has.
func (r *reader) known(name, keyword string) bool {
	if _, ok := r.in.Vars[name]; ok {
		return true
	}
	_, set := r.vars[name]
	return set && keyword == "presetenv"
}
