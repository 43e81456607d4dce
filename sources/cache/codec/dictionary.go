package codec

import "github.com/poolproof/poolproof/schema"

// dictionary numbers the paths of the model, which nearly every record has. It is the build's own, as the whole form is,
// and nothing writes to it after start.
var dictionary = func() (d struct {
	texts []string
	refs  map[schema.Path]uint64
}) {
	d.refs = make(map[schema.Path]uint64)
	for _, e := range schema.Model() {
		d.refs[e.Path] = uint64(knownTexts + len(d.texts))
		d.texts = append(d.texts, string(e.Path))
	}
	return d
}()
