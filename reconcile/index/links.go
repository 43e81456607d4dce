package index

import "slices"

// links find entries by what they hold.
type links struct {
	byKey, byPath, beside map[string][]*Entry
}

func (l *links) put(e *Entry, keys []string) {
	for _, k := range keys {
		l.byKey[k] = append(l.byKey[k], e)
	}
	for _, p := range e.Beside {
		l.beside[p] = append(l.beside[p], e)
	}
	l.byPath[e.Path] = append(l.byPath[e.Path], e)
}

func (l *links) drop(e *Entry, keys []string) {
	for _, k := range keys {
		remove(l.byKey, k, e)
	}
	for _, p := range e.Beside {
		remove(l.beside, p, e)
	}
	remove(l.byPath, e.Path, e)
}

func remove(m map[string][]*Entry, key string, e *Entry) {
	list := slices.DeleteFunc(m[key], func(other *Entry) bool { return other == e })
	if len(list) == 0 {
		delete(m, key)
		return
	}
	m[key] = list
}

// fewQuestions is how many questions are answered without links.
const fewQuestions = 4

// linked returns the links, or nil while it is not worth making them: a single question is answered by looking through all
// entries.
func (x *Index) linked() *links {
	if x.links != nil {
		return x.links
	}
	if x.asked++; x.asked <= fewQuestions {
		return nil
	}
	x.links = &links{map[string][]*Entry{}, map[string][]*Entry{}, map[string][]*Entry{}}
	for _, e := range x.entries {
		x.links.put(e, x.keys(e))
	}
	return x.links
}
