package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/policy/failover"
)

// part is a piece of what a hash goes by.
type part struct {
	kind partKind
	text string // of literals
}

type partKind uint8

const (
	literal partKind = iota
	path             // $request_uri and the like
	address          // $remote_addr
	octets           // $binary_remote_addr
)

// variable returns what a variable of NGINX is to a scenario's requests; ok is false where they have no such thing. A
// value that is not known is the same for all of them, and which one it is matters little.
func variable(name, pool string) (p part, ok bool) {
	switch name {
	case "request_uri", "uri", "document_uri", "request":
		return part{kind: path}, true
	case "remote_addr", "realip_remote_addr", "proxy_add_x_forwarded_for":
		return part{kind: address}, true
	case "binary_remote_addr":
		return part{kind: octets}, true
	case "proxy_host":
		return part{text: pool}, true
	case "scheme":
		return part{text: "http"}, true
	case "server_port", "proxy_port":
		return part{text: "80"}, true
	case "request_method", "host", "http_host", "hostname", "server_name", "server_addr", "server_protocol":
		return part{text: name}, true
	}
	return part{}, false
}

// parseKey takes a key apart. Variables that requests have nothing for, like $arg_user, are empty.
func parseKey(text, pool string) []part {
	var list []part
	for text != "" {
		before, rest, found := strings.Cut(text, "$")
		if before != "" {
			list = append(list, part{text: before})
		}
		if !found {
			break
		}
		var name string
		if inner, ok := strings.CutPrefix(rest, "{"); ok {
			name, text, _ = strings.Cut(inner, "}")
		} else {
			n := 0
			for n < len(rest) && (rest[n] == '_' || rest[n] >= '0' && rest[n] <= '9' || rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
				n++
			}
			name, text = rest[:n], rest[n:]
		}
		if p, ok := variable(strings.ToLower(name), pool); ok {
			list = append(list, p)
		}
	}
	return list
}

// key adds what a request is hashed by to an inverted checksum.
func (e *Engine) key(crc uint32, r *failover.Request) uint32 {
	for i := range e.hashBy {
		switch p := &e.hashBy[i]; p.kind {
		case path:
			if crc = add(crc, r.Path); r.Path == "" {
				crc = octet(crc, '/')
			}
		case address:
			for shift := 24; shift >= 0; shift -= 8 {
				crc = number(crc, r.Client>>shift&0xff)
				if shift > 0 {
					crc = octet(crc, '.')
				}
			}
		case octets:
			for shift := 24; shift >= 0; shift -= 8 {
				crc = octet(crc, byte(r.Client>>shift))
			}
		default:
			crc = add(crc, p.text)
		}
	}
	return crc
}

func add(crc uint32, text string) uint32 {
	for i := range len(text) {
		crc = octet(crc, text[i])
	}
	return crc
}
