package outline

import (
	"bytes"

	"github.com/poolproof/poolproof/sources/data"
)

// Decode reads a file as JSON or YAML, whichever it is, and says which. A JSON file that is a template breaks JSON's
// rules and hardly YAML's, whose reader knows templates; it is read as that.
func Decode(file string, text []byte) (f data.File, json bool) {
	if !IsJSON(file, text) {
		return data.YAML(text), false
	}
	f = data.JSON(text)
	for i := range f.Problems {
		if f.Problems[i].Rule == "source/syntax" && (bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) || bytes.Contains(text, []byte("<%"))) {
			return data.YAML(text), true
		}
	}
	return f, true
}
