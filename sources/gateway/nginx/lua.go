package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// isLua reports whether a directive's block is Lua code, which has braces, quotes and comments of its own.
func isLua(name string) bool { return strings.HasSuffix(name, "_by_lua_block") }

// maxBrokenLua bounds how often a file is searched to its end for a brace that is not there.
const maxBrokenLua = 8

// lua consumes a block of Lua code, the scanner standing after its opening brace; name is where the directive starts.
// Braces in strings, long brackets and comments do not count. A block that never closes ends, so that the rest of the
// file is still read, with the first brace that stands alone under the directive's name.
func (s *scanner) lua(name int) {
	if s.brokenLua < maxBrokenLua {
		if end, ok := s.luaEnd(s.pos); ok {
			s.pos = end
			return
		}
		s.brokenLua++
	}
	s.report(true, name, s.pos, schema.Textf("this block of Lua code is never closed", "此 Lua 代码块没有闭合"),
		schema.Textf("look for a brace, quote or long bracket without its partner in the code", "检查代码中不成对的大括号、引号或长括号"))
	line := strings.LastIndexByte(s.src[:name], '\n') + 1
	indent := s.src[line:name]
	if i := strings.Index(s.src[s.pos:], "\n"+indent+"}"); strings.TrimLeft(indent, " \t") == "" && i >= 0 {
		s.pos += i + len(indent) + 2
		return
	}
	s.pos = len(s.src)
}

func (s *scanner) luaEnd(i int) (end int, ok bool) {
	src, depth := s.src, 1
	for i < len(src) {
		switch c := src[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '"', '\'':
			i = luaString(src, i+1, c)
			continue
		case '-':
			if strings.HasPrefix(src[i:], "--") {
				i = s.luaComment(i + 2)
				continue
			}
		case '[':
			if after, long := s.longBracket(i); long {
				i = after
				continue
			}
		}
		i++
	}
	return len(src), false
}

// luaString returns the place after a string; one that its line does not close ends with the line.
func luaString(src string, i int, quote byte) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n':
			return i
		case quote:
			return i + 1
		}
	}
	return len(src)
}

func (s *scanner) luaComment(i int) int {
	src := s.src
	if i < len(src) && src[i] == '[' {
		if end, long := s.longBracket(i); long {
			return end
		}
	}
	if j := strings.IndexByte(src[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(src)
}

// longBracket returns the place after [[ ]] or [==[ ]==] that opens at i. An unclosed one is none.
func (s *scanner) longBracket(i int) (end int, ok bool) {
	src := s.src
	j := i + 1
	for j < len(src) && src[j] == '=' {
		j++
	}
	level := j - i - 1
	if j >= len(src) || src[j] != '[' || level >= len(s.noBracket) || s.noBracket[level] {
		return i, false
	}
	closing := "]" + src[i+1:j] + "]"
	k := strings.Index(src[j+1:], closing)
	if k < 0 {
		s.noBracket[level] = true
		return i, false
	}
	return j + 1 + k + len(closing), true
}
