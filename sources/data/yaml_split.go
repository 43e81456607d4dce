package data

import "strings"

// split cuts a YAML stream into its documents, each from the first line of its prologue (comments, directives) to the
// byte before the next one. A line of three dashes at the left margin starts a document wherever it stands, so one
// broken document costs none of the others. clean says that all lines end with LF or CRLF.
func split(src string, clean bool) []chunk {
	var chunks []chunk
	start, explicit := 0, false
	for pos := 0; pos < len(src); {
		end := lineEnd(src, pos)
		switch {
		case marker(src, pos, '-'):
			if explicit || !prologue(src[start:pos]) {
				cut := directives(src, start, pos)
				chunks = append(chunks, chunk{start, cut})
				start = cut
			}
			explicit = true
		case marker(src, pos, '.'):
			if explicit || !prologue(src[start:pos]) {
				chunks = append(chunks, chunk{start, end})
			}
			start, explicit = end, false
		}
		pos = nextMarker(src, end, clean)
	}
	if rest := src[start:]; explicit || !prologue(rest) || strings.HasPrefix(rest, "%") || strings.Contains(rest, "\n%") {
		chunks = append(chunks, chunk{start, len(src)})
	}
	return chunks
}

// directives returns where the directives begin that stand right above the marker at pos, pos if there are none.
func directives(src string, start, pos int) int {
	first := pos
	for line := pos; line > start; {
		line = lastLine(src, line-1)
		switch text := strings.TrimSpace(src[line:lineEnd(src, line)]); {
		case line < start:
			return first
		case strings.HasPrefix(text, "%") && src[line] == '%':
			first = line
		case text != "" && text[0] != '#':
			return first
		}
	}
	return first
}

// chunk is the byte range of one document with its prologue.
type chunk struct{ start, end int }

// nextMarker returns the start of the next line at or after the line start pos that could be a document marker.
func nextMarker(src string, pos int, clean bool) int {
	for pos < len(src) {
		if c := src[pos]; c == '-' || c == '.' {
			return pos
		}
		if !clean {
			pos = lineEnd(src, pos)
			continue
		}
		n := strings.IndexByte(src[pos:], '\n')
		if n < 0 {
			return len(src)
		}
		pos += n + 1
	}
	return pos
}

// lineEnd returns the start of the line after the one that holds pos. Lines end with LF, CRLF or CR.
func lineEnd(src string, pos int) int {
	for ; pos < len(src); pos++ {
		if src[pos] == '\n' {
			return pos + 1
		}
		if src[pos] == '\r' {
			if pos+1 < len(src) && src[pos+1] == '\n' {
				pos++
			}
			return pos + 1
		}
	}
	return len(src)
}

// marker reports whether a line of three marks, --- or ..., starts at pos.
func marker(src string, pos int, mark byte) bool {
	if len(src) < pos+3 || src[pos] != mark || src[pos+1] != mark || src[pos+2] != mark {
		return false
	}
	return len(src) == pos+3 || strings.IndexByte(" \t\r\n", src[pos+3]) >= 0
}

// prologue reports whether text holds nothing but blank lines, comments and directives.
func prologue(text string) bool {
	for pos := 0; pos < len(text); {
		end := lineEnd(text, pos)
		line := strings.Trim(text[pos:end], " \t\r\n")
		if line != "" && line[0] != '#' && text[pos] != '%' {
			return false
		}
		pos = end
	}
	return true
}
