package mapped

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// expr is a compiled path expression: steps through a file, and the unit of what stands at the end.
type expr struct {
	text  string // as written in the manifest
	steps []step
	unit  unit
}

// step is one part of a path.
type step struct {
	kind stepKind
	key  string // of a byKey step
	// quoted: the key was written in quotes, so that "key" and "value" are plain keys.
	quoted bool
	index  int // of a byIndex step
}

type stepKind uint8

const (
	byKey     stepKind = iota // a key of a mapping
	byIndex                   // [3], an entry of a list, from 0
	everyItem                 // [*], each entry of a list
	everyKey                  // .*, each entry of a mapping
)

// unit is what a bare number at the end of a path counts. The zero unit is none.
type unit struct {
	name   string
	length time.Duration // of units of time
}

// The units besides those of time.
const (
	percent = "percent" // 50 is half
	ratio   = "ratio"   // 0.5 is half
)

func parseUnit(name string) (unit, bool) {
	switch name {
	case percent, "%":
		return unit{name: percent}, true
	case ratio:
		return unit{name: ratio}, true
	}
	length, ok := schema.UnitOf(name)
	return unit{name, length}, ok
}

// parse compiles a path expression. Where ok is false, why says what is wrong with it.
func parse(text string) (e expr, why schema.Text, ok bool) {
	e = expr{text: text}
	path, unitName, hasUnit := cutUnit(text)
	if hasUnit {
		if e.unit, ok = parseUnit(unitName); !ok {
			return e, schema.Textf("unknown unit %q; the units are ns, us, ms, s, m, h, d, percent and ratio", "未知单位 %q；可用单位为 ns、us、ms、s、m、h、d、percent、ratio", unitName), false
		}
	}
	if path == "." {
		return e, schema.Text{}, true
	}
	for rest := path; ; {
		var s step
		if s, rest, why, ok = nextStep(rest, len(e.steps) == 0); !ok {
			return e, why, false
		}
		e.steps = append(e.steps, s)
		if rest == "" {
			return e, schema.Text{}, true
		}
		if len(e.steps) == maxSteps {
			return e, schema.Textf("more than %d parts", "路径超过 %d 段", maxSteps), false
		}
		if rest[0] == '.' {
			if rest = rest[1:]; rest == "" || rest[0] == '[' {
				return e, schema.Textf("a part is missing after '.'", "“.” 之后缺少一段"), false
			}
		} else if rest[0] != '[' {
			return e, schema.Textf("'.' or '[' is missing before %q", "%q 之前缺少 “.” 或 “[”", rest), false
		}
	}
}

// maxSteps bounds the length of a path; files do not nest deeper.
const maxSteps = 64

// cutUnit splits "path | ms". A '|' inside quotes belongs to the path.
func cutUnit(text string) (path, unit string, found bool) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == '|' && !quoted:
			return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]), true
		}
	}
	return strings.TrimSpace(text), "", false
}

// nextStep reads one part of a path.
func nextStep(s string, first bool) (st step, rest string, why schema.Text, ok bool) {
	switch {
	case s == "":
		return st, "", schema.Textf("the path is empty", "路径为空"), false
	case s[0] == '[':
		inside, rest, closed := strings.Cut(s[1:], "]")
		if !closed {
			return st, "", schema.Textf("'[' without ']'", "“[” 缺少 “]”"), false
		}
		if inside == "*" {
			return step{kind: everyItem}, rest, schema.Text{}, true
		}
		n, err := strconv.Atoi(inside)
		if err != nil || n < 0 {
			return st, "", schema.Textf("[%s] is neither [*] nor the number of an entry; write keys with dots, in quotes where they hold dots", "[%s] 既非 [*] 也非序号；键用点分隔，键名含点时加引号", inside), false
		}
		return step{kind: byIndex, index: n}, rest, schema.Text{}, true
	case s[0] == '"':
		key, n, closed := unquote(s)
		if !closed {
			return st, "", schema.Textf("a quote is not closed", "引号未闭合"), false
		}
		return step{kind: byKey, key: key, quoted: true}, s[n:], schema.Text{}, true
	}
	n := strings.IndexAny(s, ".[")
	if n < 0 {
		n = len(s)
	}
	switch key := strings.TrimSpace(s[:n]); {
	case key == "" && first:
		return st, "", schema.Textf("a path starts with a key, not with '.'", "路径应以键开头，而不是 “.”"), false
	case key == "":
		return st, "", schema.Textf("a part is missing between two dots", "两个点之间缺少一段"), false
	case key == "*":
		return step{kind: everyKey}, s[n:], schema.Text{}, true
	default:
		return step{kind: byKey, key: key}, s[n:], schema.Text{}, true
	}
}

// unquote reads a quoted key at the start of s; n is the length with quotes.
func unquote(s string) (key string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '"':
			return b.String(), i + 1, true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, false
}
