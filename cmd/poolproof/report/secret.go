package report

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// mask replaces a secret in a source line. It does not tell how long the secret is.
const mask = "***"

// userinfo finds user:password@ in an address.
var userinfo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`://([^\s/@"'<>]{1,512})@`) })

// secretPattern finds what must not leave the file when its line is shown: its first group. It is tried only on lines
// that hold one of its words, in lower case, because most lines hold none.
type secretPattern struct {
	words []string
	expr  *regexp.Regexp
}

var secretPatterns = sync.OnceValue(func() []secretPattern {
	return []secretPattern{
		{[]string{"://"}, userinfo()},
		// A setting whose name says that it is secret: name: value, name=value, "name": "value".
		{[]string{"passw", "passphrase", "secret", "token", "key", "credential", "authorization"},
			regexp.MustCompile(`(?i)(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|` +
				`credentials?|authorization)["']?\s*[:=]>?\s*(?:(?:bearer|basic)\s+)?("[^"]*"?|'[^']*'?|[^\s,;}\]"']+)`)},
		// The same without a sign between, as servers' own formats have it.
		{[]string{"passw", "authorization"},
			regexp.MustCompile(`(?i)(?:passw(?:or)?d|authorization)["']?\s+["']?(?:(?:bearer|basic)\s+)?([^\s,;}\]"':=|]+)`)},
		// Well-known shapes of keys.
		{[]string{"bearer ", "basic "}, regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([a-z0-9+/=_.~-]{16,})`)},
		{[]string{"sk-", "gh", "akia", "xox", "eyj"},
			regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{12,}|xox[a-z]-[A-Za-z0-9-]{8,}|` +
				`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]+)`)},
	}
})

// byteRange is a range [start, end) of a line.
type byteRange struct{ start, end int }

// secrets returns the ranges of a source line that look like secrets, in order and without overlap.
func secrets(line []byte) []byteRange {
	var found []byteRange
	lower := strings.ToLower(string(line))
	for _, p := range secretPatterns() {
		if !slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(lower, w) }) {
			continue
		}
		for _, m := range p.expr.FindAllSubmatchIndex(line, -1) {
			found = append(found, byteRange{m[2], m[3]})
		}
	}
	slices.SortFunc(found, func(a, b byteRange) int { return a.start - b.start })
	merged := found[:0]
	for _, r := range found {
		if n := len(merged); n > 0 && r.start <= merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, r.end)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// maskUserinfo hides user and password of URLs in the part of a text that will be shown.
func maskUserinfo(s string, shown int) string {
	head := s[:min(len(s), 2*shown)]
	if !strings.Contains(head, "://") || strings.IndexByte(head, '@') < 0 {
		return s
	}
	return userinfo().ReplaceAllString(head, "://"+mask+"@") + s[len(head):]
}
