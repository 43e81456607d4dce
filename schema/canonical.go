package schema

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonWriter writes canonical JSON (RFC 8785): no spaces, keys in order (the caller's part), shortest numbers, and only
// the escapes that are needed.
type jsonWriter struct {
	buf   []byte
	comma bool
}

func (w *jsonWriter) open(c byte) {
	w.separate()
	w.buf = append(w.buf, c)
	w.comma = false
}

func (w *jsonWriter) close(c byte) {
	w.buf = append(w.buf, c)
	w.comma = true
}

func (w *jsonWriter) separate() {
	if w.comma {
		w.buf = append(w.buf, ',')
	}
	w.comma = true
}

func (w *jsonWriter) key(k string) {
	w.text(k)
	w.buf = append(w.buf, ':')
	w.comma = false
}

func (w *jsonWriter) text(s string) {
	w.separate()
	w.buf = append(w.buf, '"')
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			w.buf = append(w.buf, '\\', c)
		case c >= ' ':
			w.buf = append(w.buf, c)
		default:
			const hex = "0123456789abcdef"
			if n := strings.IndexByte("\b\t\n\f\r", c); n >= 0 {
				w.buf = append(w.buf, '\\', "btnfr"[n])
			} else {
				w.buf = append(w.buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
	}
	w.buf = append(w.buf, '"')
}

// number writes a finite number as ECMAScript does, which is what RFC 8785 asks for.
func (w *jsonWriter) number(f float64) {
	w.separate()
	if abs := math.Abs(f); f == 0 {
		w.buf = append(w.buf, '0')
	} else if abs >= 1e-6 && abs < 1e21 {
		w.buf = strconv.AppendFloat(w.buf, f, 'f', -1, 64)
	} else {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		w.buf = append(w.buf, strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(s)...)
	}
}

func (w *jsonWriter) bool(b bool) {
	w.separate()
	w.buf = strconv.AppendBool(w.buf, b)
}

func (w *jsonWriter) texts(list []string) {
	w.open('[')
	for _, s := range list {
		w.text(s)
	}
	w.close(']')
}
