package report

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// stream writes JSON in pieces, so that a report of any length needs the memory of one finding.
type stream struct {
	out io.Writer
	buf bytes.Buffer
	enc *json.Encoder
	err error
}

func newStream(out io.Writer) *stream {
	s := &stream{out: out}
	s.enc = json.NewEncoder(&s.buf)
	s.enc.SetEscapeHTML(false)
	return s
}

// raw writes punctuation and keys as they are.
func (s *stream) raw(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.out, text)
	}
}

// value writes one value.
func (s *stream) value(v any) { s.encode(v, false) }

// open writes an object without its closing brace, so that further members can follow.
func (s *stream) open(v any) { s.encode(v, true) }

func (s *stream) encode(v any, open bool) {
	if s.err != nil {
		return
	}
	s.buf.Reset()
	if s.err = s.enc.Encode(v); s.err != nil {
		return
	}
	b := bytes.TrimSuffix(s.buf.Bytes(), []byte("\n"))
	if open {
		b = bytes.TrimSuffix(b, []byte("}"))
	}
	_, s.err = s.out.Write(showHidden(b))
}

// array writes the values of a list, one a line, so that a report can be read and compared with line tools.
func (s *stream) array(n int, value func(i int) any) {
	s.raw("[")
	for i := range n {
		if i > 0 {
			s.raw(",")
		}
		s.raw("\n")
		s.value(value(i))
	}
	if n > 0 {
		s.raw("\n")
	}
	s.raw("]")
}

// EncodeJSON writes a value as one line of JSON for output outside of a report: texts bounded, secrets masked, and
// everything invisible written out.
func EncodeJSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(showHidden(boundStrings(buf.Bytes())))
	return err
}

// boundStrings bounds and masks every string of encoded JSON, keys too.
func boundStrings(b []byte) []byte {
	out := make([]byte, 0, len(b)+16)
	for i := 0; i < len(b); {
		if b[i] != '"' {
			out = append(out, b[i])
			i++
			continue
		}
		end := i + 1
		for b[end] != '"' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		end++
		var s string
		if json.Unmarshal(b[i:end], &s) == nil {
			if shown := boundText(s); shown != s {
				var quoted bytes.Buffer
				enc := json.NewEncoder(&quoted)
				enc.SetEscapeHTML(false)
				if enc.Encode(shown) == nil {
					out = append(out, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
					i = end
					continue
				}
			}
		}
		out = append(out, b[i:end]...)
		i = end
	}
	return out
}

func hasLogCommand(b []byte) bool {
	return len(b) > 2 && b[1] == '#' && logCommand(string(b[2:min(len(b), 18)]))
}

// showHidden writes the characters of encoded JSON that no reader would see, text direction marks among them, as \u
// escapes, and breaks up log commands of build servers. The encoder leaves both as they are; outside ASCII, and with #,
// they stand in strings only.
func showHidden(b []byte) []byte {
	for i := 0; i < len(b); i++ {
		if b[i] >= 0x7f || b[i] == '#' && hasLogCommand(b[i:]) {
			return showHiddenFrom(b, i)
		}
	}
	return b
}

func showHiddenFrom(b []byte, from int) []byte {
	out := append(make([]byte, 0, len(b)+16), b[:from]...)
	unit := func(u rune) {
		const hex = "0123456789abcdef"
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for i := from; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == '#' && hasLogCommand(b[i:]):
			unit(r)
		case r == utf8.RuneError || r < 0x7f || shown(r) || r == 0x200d:
			out = append(out, b[i:i+size]...)
		case r < 0x10000:
			unit(r)
		default:
			r -= 0x10000
			unit(0xd800 | r>>10)
			unit(0xdc00 | r&0x3ff)
		}
		i += size
	}
	return out
}
