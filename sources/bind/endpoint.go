package bind

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// EndpointPlaces returns where host and port of an address stand. text is the address, e what schema.SplitEndpoint made
// of it, and src the bytes of the place at, in which the address stands. Both are unknown where the file does not hold
// the text as it is (escapes, placeholders, full-width forms); the port is unknown where none is written.
func EndpointPlaces(src []byte, at schema.Span, text string, e schema.Endpoint) (host, port schema.Span) {
	i := bytes.Index(src, []byte(text))
	if i < 0 || e.Offset >= len(text) {
		return schema.Span{}, schema.Span{}
	}
	rest := text[e.Offset:]
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	length := len(rest)
	switch {
	case strings.HasPrefix(rest, "["):
		length = strings.IndexByte(rest, ']') + 1
	case strings.Count(rest, ":") == 1:
		length = strings.IndexByte(rest, ':')
	}
	span := func(from, to int) schema.Span {
		start := at.Start + uint32(i+e.Offset)
		return schema.Span{Start: start + uint32(from), End: start + uint32(to), File: at.File}
	}
	host = span(0, length)
	if length < len(rest) {
		port = span(length+1, len(rest))
	}
	return host, port
}

// HideUser replaces user and password of a URL, which reports must not show.
func HideUser(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		return scheme + "://***" + rest[at:]
	}
	return text
}
