package draft

import (
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/sources/load"
)

// environmentWords are the names that environments have in paths.
var environmentWords = strings.Fields(`prod production prd staging stage stg test testing tst dev develop development uat qa sit
	pre preprod sandbox perf canary gray 生产 预发 测试 开发`)

// environmentParents are folders whose folders are environments, whatever they are called.
var environmentParents = strings.Fields("env envs environment environments 环境")

// place is where a path names an environment.
type place struct {
	word    string
	pattern string // the path as a pattern, with {env} in that place
	certain bool   // by the folder above
}

// environmentOf finds the first place in a path that may name an environment.
func environmentOf(p string) (place, bool) {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if i > 0 && !last && slices.Contains(environmentParents, strings.ToLower(parts[i-1])) {
			return place{part, pattern(parts, i, 0, len(part)), true}, true
		}
		stem := part
		if last {
			stem = strings.TrimSuffix(part, path.Ext(part))
		}
		for start := 0; start < len(stem); {
			n := strings.IndexAny(stem[start:], "-_.")
			if n < 0 {
				n = len(stem) - start
			}
			if word := stem[start : start+n]; slices.Contains(environmentWords, strings.ToLower(word)) {
				return place{word, pattern(parts, i, start, start+n), false}, true
			}
			start += n + 1
		}
	}
	return place{}, false
}

// pattern writes a path as a pattern with {env} in place of some bytes of one part. Where the same word stands in a later
// part again, anything may stand there, since a pattern captures once.
func pattern(parts []string, at, start, end int) string {
	word := parts[at][start:end]
	out := make([]string, len(parts))
	for i, part := range parts {
		switch {
		case i == at:
			out[i] = load.EscapePattern(part[:start]) + "{env}" + load.EscapePattern(part[end:])
		case i > at:
			before, after, found := strings.Cut(part, word)
			out[i] = load.EscapePattern(part)
			if found && (before == "" || strings.ContainsAny(before[len(before)-1:], "-_.")) && (after == "" || strings.ContainsAny(after[:1], "-_.")) {
				out[i] = load.EscapePattern(before) + "*" + load.EscapePattern(after)
			}
		default:
			out[i] = load.EscapePattern(part)
		}
	}
	return strings.Join(out, "/")
}
