package haproxy

import "github.com/poolproof/poolproof/schema"

// escape reads the backslash at text[i] and what it escapes.
func (s *scanner) escape(w *builder, i int, quote byte) int {
	if i+1 >= len(s.text) {
		return i + 1
	}
	put := byte(0)
	switch c := s.text[i+1]; c {
	case ' ', '\\', '#', '\'', '"':
		put = c
	case '$':
		if quote != '"' {
			return i + 1
		}
		put = c
	case 't':
		put = '\t'
	case 'n':
		put = '\n'
	case 'r':
		put = '\r'
	case 'x':
		hi, lo := -1, -1
		if i+3 < len(s.text) {
			hi, lo = hex(s.text[i+2]), hex(s.text[i+3])
		}
		if hi < 0 || lo < 0 {
			s.report(schema.At(i, i+2), schema.Textf(`\x must be followed by two hexadecimal digits`, `\x 之后须有两位十六进制数字`), schema.Text{})
			return i + 2
		}
		w.cut(s.text, i, i+4)
		w.buf = append(w.buf, byte(hi<<4|lo))
		return i + 4
	default:
		return i + 1 // no escape: the backslash stands for itself
	}
	w.cut(s.text, i, i+2)
	w.buf = append(w.buf, put)
	return i + 2
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// variable reads the '$' at text[i] inside double quotes, where HAProxy expands the environment. $NAME is turned into
// ${NAME}; ${NAME-default} stays as it is.
func (s *scanner) variable(w *builder, i int, marked bool) int {
	if i+1 < len(s.text) && s.text[i+1] == '{' {
		return i + 1
	}
	end := i + 1
	for end < len(s.text) && (nameByte(s.text[end]) || end == i+1 && s.text[end] == '.') {
		end++
	}
	if end == i+1 || s.text[i+1] >= '0' && s.text[i+1] <= '9' {
		if !marked {
			s.report(schema.At(i, i+1), schema.Textf("in double quotes '$' starts an environment variable, and no name follows: HAProxy refuses the file", "双引号内的 '$' 表示环境变量，但其后没有名称：HAProxy 会拒绝此文件"),
				schema.Textf(`write \$, or use single quotes`, `请写成 \$，或改用单引号`))
		}
		return i + 1
	}
	w.cut(s.text, i, end)
	w.buf = append(w.buf, "${"...)
	w.buf = append(w.buf, s.text[i+1:end]...)
	w.buf = append(w.buf, '}')
	return end
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
