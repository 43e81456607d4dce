package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// affixes are the words that one side puts before or behind the name of a pool and another does not. Words for protocols
// (http, grpc) and for parts of a service (api, worker) are none: they tell pools of one service apart.
var affixes = strings.Fields(`be bk bck back backend backends srv svc service services server servers upstream upstreams ups
	pool pools address addresses cluster clusters target targets tg lb group grp node nodes host hosts member members
	地址池 池 服务 集群 后端 上游 节点`)

// essence is a name without what only says where it stands.
type essence struct {
	core  string // the words that are left, joined
	words []string
	env   string // the environment that the name speaks of, if any
}

// essenceOf takes affixes and environments off both ends of a name. A name made of these alone keeps them.
func essenceOf(name string) essence {
	list := lowerWords(name)
	var e essence
	strip := func(w string) bool {
		if slices.Contains(affixes, w) {
			return true
		}
		if slices.Contains(environmentWords, w) && (e.env == "" || e.env == w) {
			e.env = w
			return true
		}
		return false
	}
	start, end := 0, len(list)
	for end-start > 1 && strip(list[start]) {
		start++
	}
	for end-start > 1 && strip(list[end-1]) {
		end--
	}
	e.words = list[start:end]
	e.core = strings.Join(e.words, "")
	return e
}

// same reports whether two names say the same: the words that are left are equal, and neither speaks of an environment
// that is not the other's. exact: both speak of the same one, or of none.
func (e essence) same(o essence) (same, exact bool) {
	same = e.core != "" && e.core == o.core && (e.env == "" || o.env == "" || e.env == o.env)
	return same, same && e.env == o.env
}

// lowerWords splits a name at signs and where a capital follows a small letter, and takes Chinese affixes off its words.
func lowerWords(name string) []string {
	name, _ = schema.Fold(name)
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	var out []string
	for _, w := range words(b.String()) {
		out = append(out, w)
		for cut := true; cut; {
			cut = false
			for _, end := range affixes {
				if rest, ok := strings.CutSuffix(w, end); ok && rest != "" && end[0] >= utf8.RuneSelf {
					out, w, cut = append(out[:len(out)-1], rest), rest, true
					break
				}
			}
		}
	}
	return out
}
