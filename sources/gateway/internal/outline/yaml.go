package outline

import "bytes"

// ofYAML looks at the lines that start in the first column, and in a list at those that continue its entries. Comments,
// document marks, template lines and anything indented deeper are passed over; a code fence means that the text is a
// document about YAML.
func ofYAML(text []byte) Outline {
	var o Outline
	for len(text) > 0 && len(o.Keys) < maxKeys {
		line := text
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			line, text = text[:end], text[end+1:]
		} else {
			text = nil
		}
		if len(line) == 0 {
			continue
		}
		if o.Kind == List && len(line) > 2 && line[0] == ' ' && line[1] == ' ' && line[2] != ' ' && line[2] != '-' && line[2] != '#' {
			line = line[2:]
		}
		switch line[0] {
		case ' ', '\t', '\r', '#', '%', '.', '}', ']':
			continue
		case '`':
			return Outline{}
		case '{':
			continue
		case '-':
			if bytes.HasPrefix(line, []byte("---")) {
				continue
			}
			if o.Kind == Other {
				o.Kind = List
			}
			line = bytes.TrimLeft(line[1:], " \t")
		}
		name, value, ok := keyOf(line)
		if !ok {
			continue
		}
		if o.Kind == Other {
			o.Kind = Map
		}
		o.Keys = append(o.Keys, Key{name, value})
	}
	return o
}

// keyOf splits "name: value". Names are single words, which keeps prose out.
func keyOf(line []byte) (name, value string, ok bool) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || colon > 128 {
		return "", "", false
	}
	if colon+1 < len(line) && line[colon+1] != ' ' && line[colon+1] != '\t' && line[colon+1] != '\r' {
		return "", "", false
	}
	word := unquote(bytes.TrimRight(line[:colon], " "))
	if len(word) == 0 || bytes.IndexByte(word, ' ') >= 0 {
		return "", "", false
	}
	rest := line[colon+1:]
	if i := bytes.Index(rest, []byte(" #")); i >= 0 {
		rest = rest[:i]
	}
	rest = unquote(bytes.TrimSpace(rest))
	if len(rest) > 256 {
		rest = rest[:256]
	}
	return string(word), string(rest), true
}

func unquote(b []byte) []byte {
	if n := len(b); n >= 2 && (b[0] == '"' || b[0] == '\'') && b[n-1] == b[0] {
		return b[1 : n-1]
	}
	return b
}
