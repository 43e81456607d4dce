package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/sources/profile"
)

// edition is what the profile's name says about the program that runs.
type edition uint8

const (
	unknownEdition edition = iota // "nginx": nobody said
	openSource                    // "nginx-1.22": open source versions are numbered so
	plus                          // "nginx-plus", "nginx-plus-33"
)

// editionOf reads the edition from a profile's name.
func editionOf(name string) edition {
	if strings.HasPrefix(name, "nginx-plus") {
		return plus
	}
	if version, ok := strings.CutPrefix(name, "nginx-"); ok {
		if _, ok := profile.ParseVersion(version); ok {
			return openSource
		}
	}
	return unknownEdition
}
