// Package nginx reads configuration files of NGINX, NGINX Plus, OpenResty and Tengine: the main file, fragments of
// conf.d without an http block, single upstream files, and the templates that they are made from.
//
// Each upstream block is a copy. Retries and time limits come from the places that pass requests to it. A place that
// passes requests to a host makes a copy of its own only where it also writes retries or a health check (see implicit).
// Includes are not followed: an included file is a file of its own, and an upstream that includes servers is not
// complete.
package nginx

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

const (
	formatName = "nginx"
	engineName = "nginx"
)

// Adapter returns the reader of NGINX configuration.
func Adapter() sources.Adapter {
	return sources.Adapter{
		Name:    formatName,
		Sides:   []schema.Side{schema.Gateway},
		Version: 1,
		Profile: engineName,
		Detect:  detect,
		Read:    read,
	}
}
