package codec

import "github.com/poolproof/poolproof/schema"

// dictionary numbers the texts that nearly every record has, the paths of the model. It is the build's own, as the
// whole form is, and nothing writes to it after start.
var dictionary = func() (d struct {
	texts []string
	refs  map[string]uint64
}) {
	d.refs = make(map[string]uint64)
	for _, e := range schema.Model() {
		d.refs[string(e.Path)] = uint64(knownTexts + len(d.texts))
		d.texts = append(d.texts, string(e.Path))
	}
	return d
}()
