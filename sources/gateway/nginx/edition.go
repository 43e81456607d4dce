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
	plus                          // "nginx-plus", "nginx-plus-33", or a file that only NGINX Plus loads
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

// settle turns an unknown edition into NGINX Plus where the file holds a health_check: nothing else loads it.
func (f *file) settle() {
	if f.edition == unknownEdition && len(f.checks) > 0 {
		f.edition = plus
	}
}

// profile is the name of a copy's profile: the manifest's, made more exact by what the file shows.
func (f *file) profile() string {
	name := f.in.Source.Profile
	switch {
	case name != "" && name != engineName:
		return name
	case f.edition == plus:
		return engineName + "-plus"
	}
	return engineName
}
