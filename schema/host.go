package schema

import (
	"net/netip"
	"strconv"
	"strings"
)

// Fold returns s with full-width ASCII forms (１２．０, ：, ％) turned into ASCII and the ideographic space into a space.
// changed reports whether there were any: they are legal to read and worth a warning.
func Fold(s string) (folded string, changed bool) {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return foldSlow(s)
		}
	}
	return s, false
}

func foldSlow(s string) (string, bool) {
	changed := false
	folded := strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			changed = true
			return r - 0xFEE0
		case r == 0x3000:
			changed = true
			return ' '
		}
		return r
	}, s)
	return folded, changed
}

// NormalHost returns a host in normal form: names in lower case without the trailing dot, IPv6 addresses as RFC 5952
// has them and without brackets, IPv4-mapped ones as IPv4. ok is false for text that is neither a name nor an address:
// with spaces, doubled brackets, a port, or template marks.
func NormalHost(s string) (host string, ok bool) {
	s, _ = Fold(s)
	if strings.HasPrefix(s, "[") {
		inner, closed := strings.CutSuffix(s[1:], "]")
		if !closed || strings.ContainsAny(inner, "[]") {
			return "", false
		}
		addr, err := netip.ParseAddr(inner)
		if err != nil || !addr.Is6() {
			return "", false
		}
		return addr.Unmap().String(), true
	}
	if s == "" {
		return "", false
	}
	if c := s[len(s)-1]; c >= '0' && c <= '9' || strings.IndexByte(s, ':') >= 0 {
		if addr, err := netip.ParseAddr(s); err == nil {
			return addr.Unmap().String(), true
		}
	}
	if !hostName(s) {
		return "", false
	}
	return strings.TrimSuffix(strings.ToLower(s), "."), true
}

// hostName accepts letters, digits, '-', '_', '.' and non-ASCII letters (internationalised names), each label not
// empty, at most 253 bytes. All-numeric names with dots are refused: they are misspelt addresses (10.0.0.01, 10.0.0.256).
func hostName(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if s == "" || len(s) > 253 {
		return false
	}
	numeric, labels := true, 1
	last := byte('.')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.':
			if last == '.' {
				return false
			}
			labels++
		case c >= '0' && c <= '9':
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_', c >= 0x80:
			numeric = false
		default:
			return false
		}
		last = c
	}
	return last != '.' && !(numeric && labels > 1)
}

// IsAddress reports whether a host in normal form is an IP address rather than a name.
func IsAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// Endpoint is a host and port taken from one text.
type Endpoint struct {
	Host   string // in normal form
	Port   int    // 0: none written
	Scheme string // of a URL, lower case
	Path   string // of a URL
	Offset int    // where the host starts in the text
}

// SplitEndpoint reads "host", "host:port", "v6", "[v6]:port" or a URL. An IPv6 address without brackets is an address
// without a port: "::1:80" is itself an address and is never split.
func SplitEndpoint(s string) (Endpoint, bool) {
	s, _ = Fold(s)
	e := Endpoint{}
	rest := s
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		e.Scheme, rest = strings.ToLower(scheme), after
		e.Offset = len(scheme) + 3
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			e.Path, rest = rest[i:], rest[:i]
		}
		if i := strings.LastIndexByte(rest, '@'); i >= 0 {
			e.Offset += i + 1
			rest = rest[i+1:]
		}
	}
	host, port := rest, ""
	switch {
	case strings.HasPrefix(rest, "["):
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return Endpoint{}, false
		}
		host, port = rest[:end+1], rest[end+1:]
		if port != "" && (port[0] != ':' || len(port) == 1) {
			return Endpoint{}, false
		}
		port = strings.TrimPrefix(port, ":")
	case strings.Count(rest, ":") == 1:
		host, port, _ = strings.Cut(rest, ":")
		if port == "" {
			return Endpoint{}, false
		}
	}
	if port != "" {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 || strings.Trim(port, "0123456789") != "" {
			return Endpoint{}, false
		}
		e.Port = n
	}
	var ok bool
	if e.Host, ok = NormalHost(host); !ok {
		return Endpoint{}, false
	}
	return e, true
}

// DefaultPort returns the port that a URL scheme stands for, 0 where it has none.
func DefaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss", "grpcs":
		return 443
	}
	return 0
}

// JoinEndpoint returns host:port with brackets around IPv6 addresses; without a port, the host alone.
func JoinEndpoint(host, port string) string {
	if port == "" {
		return host
	}
	if strings.IndexByte(host, ':') >= 0 {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}
