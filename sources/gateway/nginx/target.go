package nginx

import (
	"strconv"
	"strings"
)

// target is where a directive like proxy_pass sends requests, as far as it is written.
type target struct {
	scheme string // lower case, empty where none is written or a variable stands for it
	host   string // with brackets where IPv6
	port   int    // 0: none
	socket string
	// partial: a variable follows the host, so that it is only part of a name, or a port is one.
	partial bool
	// from and to are the bytes of the text that hold host and port.
	from, to int
}

// pass splits the argument of a directive that passes requests on. ok is false where host and name are variables.
func pass(text string) (t target, ok bool) {
	rest := text
	if i := strings.Index(rest, "://"); i >= 0 {
		if scheme := rest[:i]; strings.IndexByte(scheme, '$') < 0 {
			t.scheme = strings.ToLower(scheme)
		}
		t.from = i + 3
		rest = rest[t.from:]
	}
	if path, unix := strings.CutPrefix(rest, "unix:"); unix {
		if i := strings.IndexByte(path, ':'); i >= 0 {
			path = path[:i]
		}
		t.socket, t.to = path, t.from+len("unix:")+len(path)
		return t, path != "" && strings.IndexByte(path, '$') < 0
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '$'); i >= 0 {
		t.partial = true
		rest = strings.TrimSuffix(rest[:i], ":")
	}
	t.to = t.from + len(rest)
	t.host = rest
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && i > strings.LastIndexByte(rest, ']') {
		n, err := strconv.Atoi(rest[i+1:])
		if err != nil || n < 1 || n > 65535 {
			return t, false
		}
		t.host, t.port = rest[:i], n
	}
	return t, t.host != "" && strings.IndexByte(t.host, '@') < 0 // NGINX knows no user:password@
}

// passes lists the directives that hand requests to an upstream, with the family of their settings.
func passes(name string) (family string, ok bool) {
	family, ok = strings.CutSuffix(name, "pass")
	switch family {
	case "proxy_", "grpc_", "fastcgi_", "uwsgi_", "scgi_", "memcached_":
		return family, ok
	}
	return "", false
}

// use is a place that hands requests to an upstream or a host.
type use struct {
	scope  *scope
	d      *directive
	family string
	target target
	// stream: the place is one of the stream module.
	stream bool
}

// find returns the directives that set something for this place, by name without family.
func (u *use) find(suffix string) []*directive { return u.scope.find(u.family + suffix) }

// own reports whether the block of this place, or a location around it, writes any of several settings. What the
// whole server or more inherits does not count: it is no sign that somebody thought of this place.
func (u *use) own(names ...string) bool {
	for s := u.scope; s != nil; s = s.parent {
		for _, name := range names {
			if len(s.set[name]) > 0 {
				return true
			}
		}
		if s.parent == nil || s.parent.kind != "location" {
			return false
		}
	}
	return false
}
