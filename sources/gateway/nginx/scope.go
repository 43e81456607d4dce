package nginx

import (
	"path"
	"strings"
)

// scope is a block that settings are inherited through: main, http, stream, server, location, if.
type scope struct {
	parent *scope
	kind   string
	d      *directive // nil for the file itself
	// set holds the directives of the block that the reader asks for, by name, in order.
	set map[string][]*directive
	// passes: the block hands requests to an upstream or host.
	passes bool
}

// wanted reports whether the reader asks for a directive by name.
func wanted(name string) bool {
	switch name {
	case "server_name", "listen", "include", "health_check", "health_check_timeout":
		return true
	}
	_, suffix, ok := strings.Cut(name, "_")
	return ok && isInherited(suffix)
}

// The settings that decide about retries and time limits, without the family that stands before them (proxy_, grpc_,
// fastcgi_, uwsgi_, scgi_, memcached_).
var inherited = []string{"next_upstream", "next_upstream_tries", "next_upstream_timeout", "connect_timeout", "send_timeout", "read_timeout", "timeout"}

func isInherited(suffix string) bool {
	for _, s := range inherited {
		if s == suffix {
			return true
		}
	}
	return false
}

// note keeps a directive of the block and returns the first of its name, nil where it is the first itself.
func (s *scope) note(d *directive) (first *directive) {
	if !wanted(d.name.text) {
		return nil
	}
	if s.set == nil {
		s.set = map[string][]*directive{}
	}
	if ds := s.set[d.name.text]; len(ds) > 0 {
		first = ds[0]
	}
	s.set[d.name.text] = append(s.set[d.name.text], d)
	return first
}

// single reports whether a directive of retries or time limits may stand only once in a block. NGINX joins several of
// next_upstream alone.
func single(name string) bool {
	family, suffix, _ := strings.Cut(name, "_")
	switch family {
	case "proxy", "grpc", "fastcgi", "uwsgi", "scgi", "memcached":
		return suffix != "next_upstream" && isInherited(suffix)
	}
	return false
}

// find returns the directives of the nearest block that writes the name: an inner block replaces what it inherits.
func (s *scope) find(name string) []*directive {
	for ; s != nil; s = s.parent {
		if ds := s.set[name]; ds != nil {
			return ds
		}
	}
	return nil
}

// within returns the nearest enclosing block of a kind, or nil.
func (s *scope) within(kind string) *scope {
	for ; s != nil; s = s.parent {
		if s.kind == kind {
			return s
		}
	}
	return nil
}

// context is "http" or "stream" inside such a block, empty in a fragment.
func (s *scope) context() string {
	for ; s != nil; s = s.parent {
		if s.kind == "http" || s.kind == "stream" {
			return s.kind
		}
	}
	return ""
}

// included returns the first include between this block and its server: the settings of another file hold here. Files
// that by custom set nothing but types and parameters do not count.
func (s *scope) included() *directive {
	for ; s != nil && s.kind != "http" && s.kind != "stream" && s.kind != "main"; s = s.parent {
		for _, d := range s.set["include"] {
			switch name := path.Base(d.text()); name {
			case "mime.types", "fastcgi_params", "fastcgi.conf", "uwsgi_params", "scgi_params":
			default:
				return d
			}
		}
	}
	return nil
}

// owner names the place after its server and location: "server:example.com/location:/".
func (s *scope) owner() string {
	name := "server"
	if server := s.within("server"); server != nil {
		name = "server:" + server.serverName()
	}
	var tail string
	for at := s; at != nil && at.kind != "server"; at = at.parent {
		switch at.kind {
		case "if", "limit_except":
			tail = "/" + at.kind + tail
			continue
		case "location":
			// A nested location repeats the path of the one around it, so the innermost says it all.
			return name + "/location:" + at.d.text() + tail
		}
	}
	return name + tail
}

// serverName is the first name of the server, else what it listens on.
func (s *scope) serverName() string {
	for _, d := range s.set["server_name"] {
		for _, a := range d.args {
			if a.text != "" && a.text != "_" && !a.template && !strings.ContainsAny(a.text, "$") {
				return strings.Clone(a.text)
			}
		}
	}
	for _, d := range s.set["listen"] {
		if len(d.args) > 0 && !d.args[0].template {
			return strings.Clone(d.args[0].text)
		}
	}
	return "_"
}
