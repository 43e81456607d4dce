package live

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// Parse reads a whole, valid answer with the adapter that reads such a gateway's files: what a gateway shows of its
// configuration has the form of one. profile is engine and version, empty where the answer does not say.
func Parse(a sources.Adapter, answer []byte, profile string) []schema.Copy {
	result := a.Read(sources.Input{
		Path: "answer.json", Data: answer, Source: &schema.Source{Side: schema.Live, Format: a.Name, Profile: profile},
	})
	return result.Copies
}
