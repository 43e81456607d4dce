package data

// plainKind returns the kind of a plain scalar in the core schema of YAML 1.2.
func plainKind(s string) Kind {
	if s == "" {
		return Null
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '-', c == '+', c == '.':
		return numberKind(s)
	case c == '~':
		if len(s) == 1 {
			return Null
		}
	case c == 'n' || c == 'N':
		if s == "null" || s == "Null" || s == "NULL" {
			return Null
		}
	case c == 't' || c == 'T':
		if s == "true" || s == "True" || s == "TRUE" {
			return Bool
		}
	case c == 'f' || c == 'F':
		if s == "false" || s == "False" || s == "FALSE" {
			return Bool
		}
	}
	return String
}

// numberKind tells whole numbers, numbers and texts apart where the first byte allows all three.
func numberKind(s string) Kind {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'o') {
		for i := 2; i < len(s); i++ {
			if !digitOf(s[i], s[1]) {
				return String
			}
		}
		return Int
	}
	rest := s
	if rest[0] == '-' || rest[0] == '+' {
		rest = rest[1:]
	}
	whole := digits(rest)
	if whole == len(rest) && whole > 0 {
		return Int
	}
	if whole < len(rest) && rest[whole] == '.' {
		tail := rest[whole+1:]
		if whole == 0 && (tail == "inf" || tail == "Inf" || tail == "INF" || len(rest) == len(s) && (tail == "nan" || tail == "NaN" || tail == "NAN")) {
			return Float
		}
		fraction := digits(tail)
		if whole == 0 && fraction == 0 || !exponent(tail[fraction:]) {
			return String
		}
		return Float
	}
	if whole == 0 || !exponent(rest[whole:]) {
		return String
	}
	return Float
}

// digits counts the decimal digits that s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func digitOf(c, base byte) bool {
	if base == 'o' {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// exponent reports whether s is empty or the exponent of a number.
func exponent(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}
