// Package haproxy reads HAProxy configuration files: the servers, checks, retries, timeouts and balancing of every
// listen and backend section that has servers, with the places of all values. What defaults and default-server lines
// say counts as written, where they say it.
//
// It splits lines as HAProxy does (quotes, backslashes, comments, environment variables), follows .if blocks, and reads
// templates of such files (Jinja, Go, confd, Consul, ERB) without running them: what a template writes stays unresolved.
// Whatever stands inside a conditional may not be there: settings are unresolved then, and the list of members is not
// complete.
//
// Not read: further files of the same command line, so that a defaults section in another file is not seen.
package haproxy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// Adapter returns the reader of HAProxy configuration files.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    "haproxy",
		Sides:   []schema.Side{schema.Gateway, schema.App},
		Version: 1,
		Profile: "haproxy",
		Detect:  detect,
		Read:    read,
	}
}
